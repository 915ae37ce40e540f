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

/** All commands. */
export const COMMANDS: readonly Command[] = [
  logCommand,
  bundleCommand,
  cloneCommand,
  outgoingCommand,
  incomingCommand,
  debugbundleCommand,
  debugindexCommand,
  debugdataCommand,
]
