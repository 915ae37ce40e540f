/**
 * `revlog perf::revlogwrite`: times appending a revlog's last revisions to a copy without them.
 */
import type { CompressionName } from '../../compression/index.ts'
import { RevlogError } from '../../errors.ts'
import { perfSettings } from '../../perf/perf-settings.ts'
import { measureWrites, writeSteps } from '../../perf/write-passes.ts'
import type { Command, CommandArguments, CommandContext } from '../command.ts'
import { namedIndexPath, REVLOG_OPTIONS, withRevlog } from '../named-revlog.ts'
import { PERF_OPTIONS, printTimings, processClock } from '../run-perf-steps.ts'

/** Prints the times of some revisions, by rank, and of all together. */
export const perfRevlogwriteCommand: Command = {
  name: 'perf::revlogwrite',
  aliases: ['perfrevlogwrite'],
  options: {
    ...REVLOG_OPTIONS,
    ...PERF_OPTIONS,
    startrev: { type: 'string', short: 's' },
    stoprev: { type: 'string' },
    count: { type: 'string' },
    details: { type: 'boolean' },
    source: { type: 'string' },
  },
  help: `perf::revlogwrite -c|-m|FILE
                           time appending revisions, by their texts, to a copy that lacks them
  -s --startrev REV        from this one on (default: 1000)
     --stoprev REV         up to, and without, this one; -1 is the last one (default: -1)
     --count N             passes (default: 3)
     --details             the times of every revision`,
  run(context) {
    withRevlog(context, (revlog) => {
      const { args } = context
      refuseSource(args.text('source') ?? 'full')
      const { length } = revlog
      const startRev = inRange(args, 'startrev', { fallback: 1000, length })
      const stopRev = inRange(args, 'stoprev', { fallback: -1, length })
      const passes = measureWrites({
        revlog,
        indexPath: namedIndexPath(context),
        startRev,
        stopRev,
        passes: inRange(args, 'count', { fallback: 3, length: Number.MAX_SAFE_INTEGER }),
        ...formatOf(context),
        fullTexts: args.flag('changelog'),
        clock: processClock(context.io),
      })
      const settings = perfSettings(context.config, context.io.writeError)
      for (const step of writeSteps(passes, startRev, args.flag('details'))) {
        printTimings(context, settings, step)
      }
    })
    return undefined
  },
}

const OTHER_SOURCES = ['parent-1', 'parent-2', 'parent-smallest', 'storage']

function refuseSource(source: string): void {
  if (source === 'full') return
  const known = OTHER_SOURCES.includes(source)
  throw new RevlogError(
    known ? 'unsupported' : 'usage',
    known ? `--source ${source} is not supported yet, only full` : `invalid source type: ${source}`,
  )
}

/** A number; negative ones count from the end. */
function inRange(
  args: CommandArguments,
  name: string,
  { fallback, length }: { readonly fallback: number; readonly length: number },
): number {
  const text = args.text(name) ?? `${fallback}`
  const number = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  const value = number < 0 ? length + number : number
  if (value >= 0 && value < length) return value
  throw new RevlogError('usage', `--${name} ${text}: must be a number below ${length}`)
}

function formatOf(context: CommandContext): {
  readonly compression: CompressionName
  readonly sparse: boolean
} {
  const { requirements } = context.repository()
  const zstd = requirements.has('revlog-compression-zstd')
  const none = requirements.has('exp-compression-none')
  return {
    compression: zstd ? 'zstd' : none ? 'none' : 'zlib',
    sparse: requirements.has('sparserevlog'),
  }
}
