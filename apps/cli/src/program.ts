/** The command line as a value: `main.ts` gives it its surroundings, tests give it others. */
import { exitCodes } from '@assay/model'
import { Command, type CommanderError } from 'commander'
import { commands } from './commands/index.ts'
import type { Surroundings } from './config.ts'

const help = `
Exit codes: 0 fine, 1 the gate found a regression, 2 bad usage or campaign,
3 something could not be measured or is suspect, also when it is reported again,
4 internal error.

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
export const exitCodeOfCommander = (error: CommanderError): number =>
  error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
