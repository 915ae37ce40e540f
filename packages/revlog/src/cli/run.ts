/**
 * The program as a function: arguments and the outside world in, exit status out. main.ts calls it
 * with the real world; tests call it with their own.
 */
import { RevlogError, reasonOf } from '../errors.ts'
import { findRepositoryRoot, openRepository, type Repository } from '../repository/open.ts'
import { type CliArguments, parseArguments } from './arguments.ts'
import { runDebugData, runDebugIndex } from './debugindex.ts'
import { type Diagnostics, NO_DIAGNOSTICS, openDiagnostics } from './diagnostics.ts'
import { EXIT, exitStatusOf } from './exit-status.ts'
import { HELP } from './help.ts'
import { runLog } from './log.ts'
import { type CliIo, hasErrorCode, openOutput } from './output.ts'

/** Runs the command that `argv` (without the program's name) asks for; gives the exit status. */
export function runCli(argv: readonly string[], io: CliIo): number {
  const startSeconds = io.clockSeconds()
  try {
    const args = parseArguments(argv)
    if (args.help || args.command === undefined) return printHelp(args, io)
    const diagnostics = args.debug ? openDiagnostics(io, startSeconds) : NO_DIAGNOSTICS
    runCommand(args, io, diagnostics)
    return EXIT.ok
  } catch (error) {
    return reportError(error, io)
  }
}

function printHelp(args: CliArguments, io: CliIo): number {
  if (args.help) {
    io.writeOut(Buffer.from(HELP))
    return EXIT.ok
  }
  io.writeError(HELP)
  return EXIT.usage
}

function runCommand(args: CliArguments, io: CliIo, diagnostics: Diagnostics): void {
  const repository = openFor(args, io, diagnostics)
  try {
    printCommand(repository, args, io)
    // Before closing: what is mapped counts.
    diagnostics.finish()
  } finally {
    repository.close()
  }
}

function printCommand(repository: Repository, args: CliArguments, io: CliIo): void {
  const output = openOutput(io)
  try {
    if (args.command === 'log') runLog(repository, args, { io, output })
    else if (args.command === 'debugindex') runDebugIndex(repository, args, output)
    else runDebugData(repository, args, output)
  } finally {
    // What was printed before an error stays printed, as with hg.
    output.flush()
  }
}

function openFor(args: CliArguments, io: CliIo, diagnostics: Diagnostics): Repository {
  const root = args.repository ?? findRepositoryRoot(io.cwd)
  if (root === undefined) {
    throw new RevlogError('not-a-repository', `no repository found in '${io.cwd}' (.hg not found)`)
  }
  return openRepository(root, {
    mode: args.mode,
    mmapThreshold: args.mmapThreshold,
    onAccess: (record) => diagnostics.access(record),
  })
}

function reportError(error: unknown, io: CliIo): number {
  // Whoever read our output is gone: nothing to say and nobody to say it to.
  if (hasErrorCode(error, 'EPIPE')) return EXIT.abort
  if (error instanceof RevlogError) {
    complain(io, error.message)
    return exitStatusOf(error.code)
  }
  complain(io, `internal error: ${error instanceof Error ? error.stack : reasonOf(error)}`)
  return EXIT.internal
}

function complain(io: CliIo, message: string): void {
  try {
    io.writeError(`abort: ${message}\n`)
  } catch {
    // There is no other place to say it; the exit status still does.
  }
}
