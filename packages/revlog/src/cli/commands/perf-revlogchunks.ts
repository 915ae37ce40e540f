/**
 * `revlog perf::revlogchunks`: times reading, decompressing and compressing a revlog's chunks.
 */
import type { CompressionName } from '../../compression/index.ts'
import { RevlogError } from '../../errors.ts'
import { COMPRESSIONS, chunkSteps } from '../../perf/chunk-steps.ts'
import type { Command, CommandContext } from '../command.ts'
import { REVLOG_OPTIONS, withRevlog } from '../named-revlog.ts'
import { PERF_OPTIONS, runPerfSteps } from '../run-perf-steps.ts'

/** Prints the times of nine steps. */
export const perfRevlogchunksCommand: Command = {
  name: 'perf::revlogchunks',
  aliases: ['perfrevlogchunks'],
  options: {
    ...REVLOG_OPTIONS,
    ...PERF_OPTIONS,
    engines: { type: 'string', short: 'e' },
    startrev: { type: 'string', short: 's' },
  },
  help: `perf::revlogchunks -c|-m|FILE
                           time reading, decompressing and compressing the chunks of a revlog
  -e --engines NAME,NAME   what they are compressed with (default: ${COMPRESSIONS.join(', ')})
  -s --startrev REV        the first revision`,
  run(context) {
    withRevlog(context, (revlog) => {
      const startRev = startRevOf(context, revlog.length)
      const compressions = compressionsOf(context.args.text('engines'))
      runPerfSteps(context, chunkSteps(revlog, { startRev, compressions }))
    })
    return undefined
  },
}

function startRevOf({ args }: CommandContext, length: number): number {
  const text = args.text('startrev') ?? '0'
  if (/^\d{1,9}$/.test(text) && Number(text) < length) return Number(text)
  throw new RevlogError('usage', `--startrev ${text}: must be a revision below ${length}`)
}

function compressionsOf(text: string | undefined): readonly CompressionName[] {
  if (text === undefined) return COMPRESSIONS
  const names = text.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').map(compressionOf)
}

function compressionOf(name: string): CompressionName {
  const compression = COMPRESSIONS.find((one) => one === name)
  if (compression !== undefined) return compression
  throw new RevlogError('usage', `unknown compression engine: ${name}`)
}
