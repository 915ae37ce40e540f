/**
 * What is known of a metric beside its values: its unit, and which way is better. One table for the
 * store, which names units, and the judge, which must know what a regression is.
 */

/** Which way is better; of a neutral metric no change is a regression or an improvement. */
export type MetricDirection = 'lower-is-better' | 'higher-is-better' | 'neutral'

/** A metric as reports speak of it. */
export interface MetricDescription {
  readonly name: string
  /** `seconds`, `bytes`, `per second` or `count`. */
  readonly unit: string
  readonly direction: MetricDirection
}

const lower = (unit: string) => ({ unit, direction: 'lower-is-better' }) as const
const higher = (unit: string) => ({ unit, direction: 'higher-is-better' }) as const
const neutral = (unit: string) => ({ unit, direction: 'neutral' }) as const

/**
 * Metrics of samples and of the embedded engine, which are declared here; user and system time
 * together are `cpuSeconds`. And the few names that mean the same to everybody.
 */
const known: Readonly<Record<string, Omit<MetricDescription, 'name'>>> = {
  wallSeconds: lower('seconds'),
  cpuSeconds: lower('seconds'),
  userSeconds: lower('seconds'),
  systemSeconds: lower('seconds'),
  engineSeconds: lower('seconds'),
  peakRssBytes: lower('bytes'),
  anonBytes: lower('bytes'),
  pssBytes: lower('bytes'),
  peakAnonBytes: lower('bytes'),
  peakPssBytes: lower('bytes'),
  exitAnonBytes: lower('bytes'),
  exitPssBytes: lower('bytes'),
  readBytes: lower('bytes'),
  // How an access mode works, not how well: a mode that maps or populates more does what it says.
  mappedBytes: neutral('bytes'),
  populatedBytes: neutral('bytes'),
  minorFaults: lower('count'),
  majorFaults: lower('count'),
  minorFaultsAfterOpen: lower('count'),
  majorFaultsAfterOpen: lower('count'),
  voluntarySwitches: lower('count'),
  involuntarySwitches: lower('count'),
  blocksIn: lower('count'),
  blocksOut: lower('count'),
  stragglers: lower('count'),
  opsPerSec: higher('per second'),
  opsPerSecond: higher('per second'),
  bytesPerSecond: higher('per second'),
  revisionsPerSecond: higher('per second'),
  throughput: higher('per second'),
}

/** When a sample was taken, which orders samples and says nothing of what was measured. */
const moments: readonly string[] = ['startedAtSeconds', 'endedAtSeconds']

/** Whether a metric is something to compare, and not a moment at which a sample began or ended. */
export const isComparable = (name: string): boolean => !moments.includes(name)

const unitByName = (name: string): string => {
  if (/per[-_]?sec(ond)?s?$/i.test(name)) return 'per second'
  if (/seconds$/i.test(name)) return 'seconds'
  if (/bytes$/i.test(name)) return 'bytes'
  return 'count'
}

/**
 * Description of a metric by its name. An unknown one has the unit its name ends with (`Seconds`,
 * `Bytes`, `PerSecond`; else it counts something), and no better direction: a rate of errors and a
 * rate of answers are named alike, and a wrong guess would call a loss an improvement.
 */
export const metricOf = (name: string): MetricDescription => {
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (found !== undefined) return { name, ...found }
  return { name, ...neutral(unitByName(name)) }
}

/** The unit that a metric is in. */
export const unitOf = (name: string): string => metricOf(name).unit
