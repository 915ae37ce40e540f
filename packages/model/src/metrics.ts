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
const neutral = (unit: string) => ({ unit, direction: 'neutral' }) as const

/** Metrics of samples and of the embedded engine; user and system time together are `cpuSeconds`. */
const known: Readonly<Record<string, Omit<MetricDescription, 'name'>>> = {
  wallSeconds: lower('seconds'),
  cpuSeconds: lower('seconds'),
  userSeconds: lower('seconds'),
  systemSeconds: lower('seconds'),
  engineSeconds: lower('seconds'),
  peakRssBytes: lower('bytes'),
  anonBytes: lower('bytes'),
  pssBytes: lower('bytes'),
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
}

const unitByName = (name: string): string => {
  if (/per[-_]?second$/i.test(name)) return 'per second'
  if (/seconds$/i.test(name)) return 'seconds'
  if (/bytes$/i.test(name)) return 'bytes'
  return 'count'
}

/** Endings of names that say that more is better. */
const moreIsBetter = /(per[-_]?second|throughput|rate|speed|score|hits)$/i

/**
 * Description of a metric by its name. An unknown one has the unit its name ends with (`Seconds`,
 * `Bytes`, `PerSecond`; else it counts something), and lower is better unless its name ends with
 * `PerSecond`, `Throughput`, `Rate`, `Speed`, `Score` or `Hits`.
 */
export const metricOf = (name: string): MetricDescription => {
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (found !== undefined) return { name, ...found }
  const direction = moreIsBetter.test(name) ? 'higher-is-better' : 'lower-is-better'
  return { name, unit: unitByName(name), direction }
}

/** The unit that a metric is in. */
export const unitOf = (name: string): string => metricOf(name).unit
