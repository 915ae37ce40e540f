/**
 * What the mean says where the middle says nothing. A change that slows one sample in five doubles
 * the worst of them and leaves the median, and so the effect, where it was: users feel the mean. So
 * a row whose means differ for certain by more than the tolerance is never called unchanged.
 */
import type { Interval } from '@assay/model'
import { bootstrapInterval } from './bootstrap.ts'
import { meanOf } from './median.ts'
import { atLeast } from './rounding.ts'

/** The means of the two sides against each other, as ln ratios. */
export interface MeanShift {
  readonly estimate: number
  /** 95 %, by bootstrap over rounds or samples. */
  readonly interval: Interval
}

/** The judged values of both sides; paired sides have those of a round at the same place. */
export interface SideValues {
  readonly baseline: readonly number[]
  readonly candidate: readonly number[]
}

const shiftOf = (baseline: readonly number[], candidate: readonly number[]): number => {
  const [before, after] = [meanOf(baseline), meanOf(candidate)]
  return before > 0 && after > 0 ? Math.log(after / before) : 0
}

/** Draws rounds, both samples of each together. */
const pairedQuestion = ({ baseline, candidate }: SideValues) => ({
  values: [...baseline.keys()],
  statistic: (rounds: readonly number[]) =>
    shiftOf(
      rounds.map((round) => baseline[round] ?? 0),
      rounds.map((round) => candidate[round] ?? 0),
    ),
})

/** Draws samples of both sides; candidates are told by their place. */
const unpairedQuestion = ({ baseline, candidate }: SideValues) => ({
  values: [...baseline, ...candidate].map((_, at) => at),
  statistic: (places: readonly number[]) =>
    shiftOf(
      places.flatMap((at) => baseline[at] ?? []),
      places.flatMap((at) => candidate[at - baseline.length] ?? []),
    ),
})

/**
 * The shift of the means, if its interval lies beyond +-`bound`, an ln ratio; null if the means may
 * well be the same, or a side has none that is positive.
 */
export const certainMeanShift = (
  values: SideValues,
  pairing: 'paired' | 'unpaired',
  bound: number,
): MeanShift | null => {
  const estimate = shiftOf(values.baseline, values.candidate)
  // The interval holds the estimate: most rows need no bootstrap.
  if (!Number.isFinite(estimate) || !atLeast(Math.abs(estimate), bound)) return null
  const question = pairing === 'paired' ? pairedQuestion(values) : unpairedQuestion(values)
  const interval = bootstrapInterval({ ...question, confidence: 0.95, seed: 'mean shift' })
  if (interval === null || (interval.low < bound && interval.high > -bound)) return null
  return { estimate, interval }
}
