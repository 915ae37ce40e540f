/** The command line as a value: `main.ts` gives it its surroundings, tests give it others. */
import { AssayError, exitCodes } from '@assay/model'
import { Command, type CommanderError } from 'commander'
import { commands } from './commands/index.ts'
import type { Surroundings } from './config.ts'

/** Below the help of every command. */
const epilogue = `
Exit codes:
  0  fine; a regression that is only reported is fine, too
  1  the gate: a regression blocks the change, or a person rejected it
  2  bad usage: an option, a campaign, the name of a run, a token
  3  something was not measured or cannot be believed: a failed cell, lost samples, an interrupted
     or incomplete run, a flagged self-check, a failed cleanup, a host that is not fit
  4  an internal error, or output that could not be written

With --json, standard output is the result as JSON, or {"error": {code, kind, message, remedy,
exitCode, details}}; what a person may want to know goes to standard error.
`

const help = `
Start with:
  assay init campaign.yaml
  assay plan campaign.yaml
  assay run campaign.yaml
`

/** The whole command line; parsing errors reject with `CommanderError`. */
export const assayProgram = (surroundings: Surroundings): Command => {
  const program = new Command('assay')
    .description('benchmark campaigns for storage engines: plan, measure, judge, report')
    .version('0.1.0')
    .addHelpText('after', help)
    .addHelpText('afterAll', epilogue)
  for (const command of commands) program.addCommand(command(surroundings))
  const settle = (command: Command): void => {
    command.exitOverride().showHelpAfterError('(add --help for help)')
    command.configureOutput({ writeOut: surroundings.out, writeErr: surroundings.err })
    for (const inner of command.commands) settle(inner)
  }
  settle(program)
  return program
}

/** Commander's own errors: help and version are fine, everything else is bad usage. */
const exitCodeOfCommander = (error: CommanderError): number =>
  error.exitCode === 0 ? exitCodes.fine : exitCodes.usage

/** Commander's complaint about a command line as ours; null where nothing is wrong with it. */
export const usageErrorOf = (error: CommanderError): AssayError | null =>
  exitCodeOfCommander(error) === exitCodes.fine
    ? null
    : new AssayError({
        code: 'usage',
        kind: 'usage',
        message: `${error.message.replace(/^error: /, '')}; add --help for help`,
        details: { reason: error.code },
      })

/** Whether a command line asks for JSON; what follows \`--\` are no options. */
export const asksForJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json')
}
