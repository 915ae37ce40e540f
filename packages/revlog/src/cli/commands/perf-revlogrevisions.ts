/**
 * `revlog perf::revlogrevisions`: times building the texts of a series of revisions.
 */
import { RevlogError } from '../../errors.ts'
import type { Command, CommandArguments } from '../command.ts'
import { REVLOG_OPTIONS, withRevlog } from '../named-revlog.ts'
import { PERF_OPTIONS, runPerfSteps } from '../run-perf-steps.ts'

/** Prints the times of one step. */
export const perfRevlogrevisionsCommand: Command = {
  name: 'perf::revlogrevisions',
  // The second is what Mercurial's documentation of later releases calls it.
  aliases: ['perfrevlogrevisions', 'perf::revlog-read-revisions'],
  options: {
    ...REVLOG_OPTIONS,
    ...PERF_OPTIONS,
    dist: { type: 'string', short: 'd' },
    startrev: { type: 'string', short: 's' },
    reverse: { type: 'boolean' },
  },
  help: `perf::revlogrevisions -c|-m|FILE
                           time building the texts of a series of revisions
  -d --dist N              of every N-th one (default: 100)
  -s --startrev REV        from this one on
     --reverse             the last one first`,
  run(context) {
    withRevlog(context, (revlog) => {
      const revs = chosenRevs(context.args, revlog.length)
      const run = (): void => {
        revlog.clearCaches()
        for (const rev of revs) revlog.rawText(rev)
      }
      runPerfSteps(context, [{ title: undefined, run }])
    })
    return undefined
  },
}

function chosenRevs(args: CommandArguments, length: number): readonly number[] {
  const start = numberOf(args, 'startrev', 0)
  const distance = Math.max(1, numberOf(args, 'dist', 100))
  const revs: number[] = []
  for (let rev = start; rev < length; rev += distance) revs.push(rev)
  return args.flag('reverse') ? revs.reverse() : revs
}

function numberOf(args: CommandArguments, name: string, fallback: number): number {
  const text = args.text(name) ?? `${fallback}`
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RevlogError('usage', `--${name} ${text}: must be a number`)
}
