/**
 * The commands of the program, in the order in which --help lists them. A new one is a file here and
 * a line in this list.
 */
import type { Command } from '../command.ts'
import { bundleCommand } from './bundle.ts'
import { cloneCommand } from './clone.ts'
import { debugbundleCommand } from './debugbundle.ts'
import { debugdataCommand } from './debugdata.ts'
import { debugindexCommand } from './debugindex.ts'
import { logCommand } from './log.ts'
import { incomingCommand, outgoingCommand } from './outgoing.ts'
import { perfDiscoveryCommand } from './perf-discovery.ts'
import { perfIndexCommand, perfNodemapCommand } from './perf-index.ts'
import { perfRevlogchunksCommand } from './perf-revlogchunks.ts'
import { perfRevlogindexCommand } from './perf-revlogindex.ts'
import { perfRevlogrevisionCommand } from './perf-revlogrevision.ts'
import { perfRevlogrevisionsCommand } from './perf-revlogrevisions.ts'
import { perfRevlogwriteCommand } from './perf-revlogwrite.ts'
import { perfUnbundleCommand } from './perf-unbundle.ts'
import { pullCommand } from './pull.ts'
import { pushCommand } from './push.ts'
import { recoverCommand } from './recover.ts'
import { serveCommand } from './serve.ts'
import { unbundleCommand } from './unbundle.ts'
import { verifyCommand } from './verify.ts'

/** All commands. */
export const COMMANDS: readonly Command[] = [
  logCommand,
  bundleCommand,
  unbundleCommand,
  pushCommand,
  pullCommand,
  serveCommand,
  recoverCommand,
  verifyCommand,
  cloneCommand,
  outgoingCommand,
  incomingCommand,
  debugbundleCommand,
  debugindexCommand,
  debugdataCommand,
  perfRevlogchunksCommand,
  perfRevlogindexCommand,
  perfRevlogrevisionCommand,
  perfRevlogrevisionsCommand,
  perfRevlogwriteCommand,
  perfIndexCommand,
  perfNodemapCommand,
  perfUnbundleCommand,
  perfDiscoveryCommand,
]
