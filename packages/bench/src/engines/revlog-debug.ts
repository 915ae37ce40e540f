/**
 * Reads what `revlog --debug` writes to stderr: what was in fact mapped and populated, and what the
 * process used. Each line is `debug: ` and one JSON object with a `kind`.
 */
import { z } from 'zod'

const accessSchema = z.object({
  kind: z.literal('access'),
  used: z.enum(['read', 'mmap']),
  populated: z.enum(['no', 'main-thread', 'second-thread']),
  bytes: z.number(),
})

const resourcesSchema = z.object({
  kind: z.literal('resources'),
  engineSeconds: z.number(),
  minorFaultsAfterOpen: z.number(),
  majorFaultsAfterOpen: z.number(),
  anonBytes: z.number().nullable(),
})

const perfSchema = z.object({
  kind: z.literal('perf'),
  title: z.string(),
  wallSeconds: z.number(),
})

/** Names of the metrics that are read here, but for those of steps. */
export const revlogMetrics = [
  'readBytes',
  'mappedBytes',
  'populatedBytes',
  'engineSeconds',
  'minorFaultsAfterOpen',
  'majorFaultsAfterOpen',
  'anonBytes',
] as const

const lineSchema = z.discriminatedUnion('kind', [accessSchema, resourcesSchema, perfSchema])

/**
 * The metric of a step of a perf command, by the step's title: `read w/ reused fd` is
 * `readReusedFdSeconds`.
 */
export const stepMetric = (title: string): string => {
  // Which revision was the slowest, and of how many, is no part of a name.
  const kind = title.replace(/ of \d+, rev \d+$| \(\d+ revs\)$/, '').replace(/ w\/ /g, ' ')
  const words = kind.match(/[A-Za-z0-9.]+/g) ?? []
  const name = words.map((word, at) =>
    at === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  )
  return `${name.join('')}Seconds`
}

/** The step that depends on the compared compression has the same name whichever it is. */
const stepMetrics = (steps: ReadonlyMap<string, number>): Record<string, number> => {
  const compressing = [...steps.keys()].filter((title) => title.startsWith('compress w/ '))
  return Object.fromEntries(
    [...steps].map(([title, seconds]) => [
      compressing.length === 1 && title === compressing[0] ? 'compressSeconds' : stepMetric(title),
      seconds,
    ]),
  )
}

/** The lines of one run as metrics of its sample; bytes are summed over all indexes. */
export const readRevlogMetrics = (stderr: string): Record<string, number> => {
  const metrics: Record<string, number> = { readBytes: 0, mappedBytes: 0, populatedBytes: 0 }
  const add = (name: string, amount: number): void => {
    metrics[name] = (metrics[name] ?? 0) + amount
  }
  const steps = new Map<string, number>()
  for (const line of stderr.split('\n')) {
    if (!line.startsWith('debug: {')) continue
    const entry = lineSchema.parse(JSON.parse(line.slice('debug: '.length)))
    if (entry.kind === 'access') {
      add(entry.used === 'mmap' ? 'mappedBytes' : 'readBytes', entry.bytes)
      if (entry.populated !== 'no') add('populatedBytes', entry.bytes)
    } else if (entry.kind === 'perf') {
      steps.set(entry.title, entry.wallSeconds)
    } else {
      metrics['engineSeconds'] = entry.engineSeconds
      metrics['minorFaultsAfterOpen'] = entry.minorFaultsAfterOpen
      metrics['majorFaultsAfterOpen'] = entry.majorFaultsAfterOpen
      if (entry.anonBytes !== null) metrics['anonBytes'] = entry.anonBytes
    }
  }
  return { ...metrics, ...stepMetrics(steps) }
}
