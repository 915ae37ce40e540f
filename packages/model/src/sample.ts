/** One measurement and its round: what a worker sends and the store keeps for ever. */
import { z } from 'zod'
import { type Conditions, conditionsSchema } from './host.ts'

/** How the child ended. Only `good` samples are judged; all are kept and counted. */
export const outcomeSchema = z.enum(['good', 'failed', 'timed-out', 'killed'])
export type Outcome = z.infer<typeof outcomeSchema>

/** What the operating system accounted to a child; null where the launcher cannot know. */
export const usageSchema = z.strictObject({
  wallSeconds: z.number().min(0),
  userSeconds: z.number().min(0),
  systemSeconds: z.number().min(0),
  peakRssBytes: z.number().min(0).nullable(),
  minorFaults: z.int().min(0),
  majorFaults: z.int().min(0),
  voluntarySwitches: z.int().min(0),
  involuntarySwitches: z.int().min(0),
  /** Blocks of 512 bytes read from and written to devices. */
  blocksIn: z.int().min(0),
  blocksOut: z.int().min(0),
})
export type Usage = z.infer<typeof usageSchema>

/** What is accounted to a child that never ran. */
export const noUsage: Usage = {
  wallSeconds: 0,
  userSeconds: 0,
  systemSeconds: 0,
  peakRssBytes: null,
  minorFaults: 0,
  majorFaults: 0,
  voluntarySwitches: 0,
  involuntarySwitches: 0,
  blocksIn: 0,
  blocksOut: 0,
}

/** Metrics that every sample can have, whatever is measured: usage, and memory read by the launcher. */
export const commonMetrics: readonly string[] = [
  ...Object.keys(usageSchema.shape),
  'cpuSeconds',
  'peakAnonBytes',
  'peakPssBytes',
  'exitAnonBytes',
  'exitPssBytes',
]

/** One measurement of one cell in one round. */
export const sampleSchema = z.strictObject({
  cellId: z.string(),
  /** Place in the round's random order, from 0. */
  position: z.int().min(0),
  outcome: outcomeSchema,
  exitCode: z.int().nullable(),
  /** Signal name such as SIGKILL, or null. */
  signal: z.string().nullable(),
  usage: usageSchema,
  /** The benchmark's or engine's own metrics, by name; names carry units. */
  metrics: z.record(z.string(), z.number()),
  /** Inner repeats; times are for one. */
  loops: z.int().min(1),
  /** Bytes of padding that varied the stack offset. */
  stackPaddingBytes: z.int().min(0),
  /** The end of the child's stderr where the outcome is not good; else empty. */
  stderr: z.string(),
})
export type Sample = z.infer<typeof sampleSchema>

/**
 * Value of a metric by its name: of the usage, `cpuSeconds` (user and system), else one of the
 * benchmark's or engine's own. Null where this sample does not have it.
 */
export const metricValue = (
  { usage, metrics }: Pick<Sample, 'usage' | 'metrics'>,
  name: string,
): number | null => {
  const accounted: Readonly<Record<string, number | null>> = usage
  if (Object.hasOwn(accounted, name)) return accounted[name] ?? null
  if (name === 'cpuSeconds') return usage.userSeconds + usage.systemSeconds
  return Object.hasOwn(metrics, name) ? (metrics[name] ?? null) : null
}

/** One pass over a block. Rounds are numbered from 1; warmups from 1 as well, kept apart. */
export const roundSchema = z.strictObject({
  number: z.int().min(1),
  warmup: z.boolean(),
  conditions: conditionsSchema,
  samples: z.array(sampleSchema).readonly(),
})
export type Round = z.infer<typeof roundSchema>

/** What the host was like in one round of a block. */
export interface RoundConditions {
  readonly blockId: string
  readonly round: number
  readonly conditions: Conditions
}
