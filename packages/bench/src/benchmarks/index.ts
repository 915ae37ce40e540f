/** The registry of benchmarks: one file each, one line here. */
import type { Benchmark } from './benchmark.ts'
import { exec } from './exec.ts'
import { hgCommandBundle } from './hg-command-bundle.ts'
import { hgCommandLog } from './hg-command-log.ts'
import { hgCommandPull } from './hg-command-pull.ts'
import { hgCommandPush } from './hg-command-push.ts'
import { hgCommandUnbundle } from './hg-command-unbundle.ts'
import { hgPerfRevlogchunks } from './hg-perf-revlogchunks.ts'
import {
  hgPerfDiscovery,
  hgPerfIndex,
  hgPerfNodemap,
  hgPerfRevlogindex,
  hgPerfRevlogrevision,
  hgPerfRevlogrevisions,
  hgPerfRevlogwrite,
  hgPerfUnbundle,
} from './hg-perf-steps.ts'

export const benchmarks: readonly Benchmark[] = [
  hgCommandLog,
  hgCommandUnbundle,
  hgCommandPush,
  hgCommandPull,
  hgCommandBundle,
  hgPerfRevlogchunks,
  hgPerfRevlogindex,
  hgPerfRevlogrevision,
  hgPerfRevlogrevisions,
  hgPerfRevlogwrite,
  hgPerfIndex,
  hgPerfNodemap,
  hgPerfUnbundle,
  hgPerfDiscovery,
  exec,
]

/** The benchmark of a planned block; undefined for one that this version does not have. */
export const benchmarkNamed = (name: string): Benchmark | undefined =>
  benchmarks.find((benchmark) => benchmark.name === name)
