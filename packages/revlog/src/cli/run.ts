/**
 * The program as a function: arguments and the outside world in, exit status out. main.ts calls it
 * with the real world; tests call it with their own.
 */
import { codeOf, RevlogError, type RevlogErrorCode, reasonOf } from '../errors.ts'
import { findRepositoryRoot, openRepository, type Repository } from '../repository/open.ts'
import { type CliArguments, parseArguments } from './arguments.ts'
import type { Command, CommandContext } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { type Diagnostics, NO_DIAGNOSTICS, openDiagnostics } from './diagnostics.ts'
import { EXIT, exitStatusOf } from './exit-status.ts'
import { helpText } from './help.ts'
import { type CliIo, openOutput } from './output.ts'

/** Runs the command that `argv` (without the program's name) asks for; gives the exit status. */
export function runCli(argv: readonly string[], io: CliIo): number {
  const startSeconds = io.clockSeconds()
  try {
    const args = parseArguments(argv, COMMANDS)
    if (args.help || args.command === undefined) return printHelp(args, io)
    const diagnostics = args.debug ? openDiagnostics(io, startSeconds) : NO_DIAGNOSTICS
    return runCommand(args.command, args, { io, diagnostics })
  } catch (error) {
    return reportError(error, io)
  }
}

function printHelp(args: CliArguments, io: CliIo): number {
  if (args.help) {
    io.writeOut(Buffer.from(helpText(COMMANDS)))
    return EXIT.ok
  }
  io.writeError(helpText(COMMANDS))
  return EXIT.usage
}

interface Surroundings {
  readonly io: CliIo
  readonly diagnostics: Diagnostics
}

function runCommand(
  command: Command,
  args: CliArguments,
  { io, diagnostics }: Surroundings,
): number {
  const output = openOutput(io)
  let repository: Repository | undefined
  const access = {
    mode: args.mode,
    mmapThreshold: args.mmapThreshold,
    onAccess: diagnostics.access,
  }
  const context: CommandContext = {
    args: args.given,
    io,
    output,
    quiet: args.quiet,
    config: args.config,
    access,
    root: () => rootOf(args, io),
    repository() {
      repository ??= openRepository(context.root(), access)
      return repository
    },
  }
  try {
    const status = runAndFlush(command, context)
    // Before closing: what is mapped counts.
    diagnostics.finish()
    return status
  } finally {
    repository?.close()
  }
}

function runAndFlush(command: Command, context: CommandContext): number {
  try {
    return command.run(context) ?? EXIT.ok
  } finally {
    // What was printed before an error stays printed, as with hg.
    context.output.flush()
  }
}

function rootOf(args: CliArguments, io: CliIo): string {
  const root = args.repository ?? findRepositoryRoot(io.cwd)
  if (root !== undefined) return root
  throw new RevlogError('not-a-repository', `no repository found in '${io.cwd}' (.hg not found)`)
}

const LABELS: ReadonlyMap<RevlogErrorCode, string> = new Map([
  ['parse-error', 'hg'],
  ['not-configured', 'config error'],
])

function reportError(error: unknown, io: CliIo): number {
  // Whoever read our output is gone: nothing to say and nobody to say it to.
  if (codeOf(error) === 'EPIPE') return EXIT.abort
  if (error instanceof RevlogError) {
    // Mercurial reports these by its own name in place of `abort`.
    const label = LABELS.get(error.code) ?? 'abort'
    complain(io, label, error.message)
    return exitStatusOf(error.code)
  }
  complain(io, 'abort', `internal error: ${error instanceof Error ? error.stack : reasonOf(error)}`)
  return EXIT.internal
}

function complain(io: CliIo, label: string, message: string): void {
  try {
    io.writeError(`${label}: ${message}\n`)
  } catch {
    // There is no other place to say it; the exit status still does.
  }
}
