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

/** Names of the metrics that are read here. */
export const revlogMetrics = [
  'readBytes',
  'mappedBytes',
  'populatedBytes',
  'engineSeconds',
  'minorFaultsAfterOpen',
  'majorFaultsAfterOpen',
  'anonBytes',
] as const

const lineSchema = z.discriminatedUnion('kind', [accessSchema, resourcesSchema])

/** The lines of one run as metrics of its sample; bytes are summed over all indexes. */
export const readRevlogMetrics = (stderr: string): Record<string, number> => {
  const metrics: Record<string, number> = { readBytes: 0, mappedBytes: 0, populatedBytes: 0 }
  const add = (name: string, amount: number): void => {
    metrics[name] = (metrics[name] ?? 0) + amount
  }
  for (const line of stderr.split('\n')) {
    if (!line.startsWith('debug: {')) continue
    const entry = lineSchema.parse(JSON.parse(line.slice('debug: '.length)))
    if (entry.kind === 'access') {
      add(entry.used === 'mmap' ? 'mappedBytes' : 'readBytes', entry.bytes)
      if (entry.populated !== 'no') add('populatedBytes', entry.bytes)
    } else {
      metrics['engineSeconds'] = entry.engineSeconds
      metrics['minorFaultsAfterOpen'] = entry.minorFaultsAfterOpen
      metrics['majorFaultsAfterOpen'] = entry.majorFaultsAfterOpen
      if (entry.anonBytes !== null) metrics['anonBytes'] = entry.anonBytes
    }
  }
  return metrics
}
