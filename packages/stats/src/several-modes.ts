/**
 * Whether a row's values gather around two places instead of one, as with a second memory layout or
 * a host that changes gear: the split of the values with the least spread within its two parts, and
 * how far apart these lie (D of Ashman, Bird and Zepf 1994). Both sides are taken together, each
 * around its own median, for they ran on the same host and one side alone is few; then each alone,
 * for a change may slow a part of one side's samples only.
 */
import { type LogPairs, withoutDrift } from './drift-free.ts'
import { ascending, medianOf } from './median.ts'
import { logRounding } from './rounding.ts'

/** A mode is more than now and then a slow sample: at least this share of all, and three. */
const smallestShare = 0.15
const fewestInMode = 3

/**
 * D from which two parts are two modes. The best split of one normal mode has D = 2.65 (a half
 * normal has mean 0.798 and deviation 0.603), of few values by chance much more: the allowance
 * keeps false alarms near 1 % of rows, as simulated.
 */
const farApart = (count: number): number => 2.7 + 48 / count

/** The same of one side alone, which is asked only after both together: near 0.1 %. */
const farApartAlone = (count: number): number => 2.8 + 58 / count

const momentsOf = (values: readonly number[]): { mean: number; variance: number } => {
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / values.length
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  return { mean, variance: squares / Math.max(1, values.length - 1) }
}

/** Where to cut ascending values so that the parts spread least, as the first index of the second. */
const bestCut = (sorted: readonly number[]): number => {
  const count = sorted.length
  const fewest = Math.max(fewestInMode, Math.ceil(count * smallestShare))
  const total = sorted.reduce((sum, value) => sum + value, 0)
  let lower = 0
  let [cut, most] = [0, -1]
  sorted.forEach((value, at) => {
    // Least spread within is most spread between (Otsu 1979).
    const between = at === 0 ? -1 : lower ** 2 / at + (total - lower) ** 2 / (count - at)
    if (at >= fewest && at <= count - fewest && between > most) {
      cut = at
      most = between
    }
    lower += value
  })
  return cut
}

/** Two places that values gather around. */
export interface Modes {
  /** ln of the upper over the lower. */
  readonly distance: number
  /** Share of the values around the upper one. */
  readonly upperShare: number
}

/** The two modes of ascending values that are `needed` apart at least, or null. */
const twoModes = (sorted: readonly number[], needed: number): Modes | null => {
  const cut = bestCut(sorted)
  if (cut === 0) return null
  const lower = momentsOf(sorted.slice(0, cut))
  const upper = momentsOf(sorted.slice(cut))
  const distance = upper.mean - lower.mean
  const spread = Math.sqrt((lower.variance + upper.variance) / 2)
  if (distance <= logRounding || distance < needed * spread) return null
  return { distance, upperShare: 1 - cut / sorted.length }
}

/** The two modes of a row, or null where one mode explains the values. */
export const modesOf = (pairs: LogPairs): Modes | null => {
  const freed = withoutDrift(pairs)
  const centred = [freed.baseline, freed.candidate].flatMap((values) => {
    const middle = medianOf(values)
    return values.map((value) => value - middle)
  })
  const sorted = ascending(centred)
  return twoModes(sorted, farApart(sorted.length))
}

/** The two modes of one side's values; null where one explains them, or one has no logarithm. */
export const modesOfSide = (values: readonly number[]): Modes | null => {
  if (values.some((value) => value <= 0)) return null
  const sorted = ascending(values.map(Math.log))
  return twoModes(sorted, farApartAlone(sorted.length))
}
