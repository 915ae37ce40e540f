/** The registry of benchmarks: one file each, one line here. */
import type { BenchmarkDeclaration } from '@assay/model'
import { exec } from './exec.ts'
import { hgCommandLog } from './hg-command-log.ts'
import { hgCommandPush } from './hg-command-push.ts'
import { hgCommandUnbundle } from './hg-command-unbundle.ts'
import { hgPerfRevlogchunks } from './hg-perf-revlogchunks.ts'

export const benchmarks: readonly BenchmarkDeclaration[] = [
  hgCommandLog,
  hgCommandUnbundle,
  hgCommandPush,
  hgPerfRevlogchunks,
  exec,
]
