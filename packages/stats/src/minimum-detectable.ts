/**
 * What the rounds at hand could have shown: the smallest effect that would have been significant
 * with 80 % power. Read off the width of the interval, so it needs no assumption on the noise but
 * that more pairs narrow it by their square root.
 */
import type { Interval, SamplePairing } from '@assay/model'
import { smallestPValue } from './min-rounds.ts'
import { studentQuantile } from './student.ts'

/** Customary power of a study (Cohen 1988). */
const power = 0.8

/** What is known of a comparison's noise: pairs, their 95 % interval, and the level of its test. */
export interface NoiseOf {
  readonly pairs: number
  readonly interval95: Interval | null
  /** Level at which this comparison alone must be significant: false-discovery rate / family. */
  readonly level: number
  /** Absent: paired by round. */
  readonly pairing?: SamplePairing
}

/**
 * What a rank test asks beyond the t-test when its level is near the smallest p it can reach, where
 * nearly every round must say the same: fitted so that the power at the printed effect is 80 % within
 * a few points, for 12 to 60 rounds and families of 1 to 200 rows, by simulation.
 */
const rankSurcharge = (smallestP: number, level: number): number =>
  1 + 0.45 / Math.max(1, Math.log2(1 + level / smallestP))

/** Smallest |ln ratio| that would be significant; null without an interval. */
const significantEffect = ({ interval95, level, pairs, pairing }: NoiseOf): number | null => {
  if (interval95 === null || pairs < 2) return null
  const degrees = pairing === 'unpaired' ? 2 * pairs - 2 : pairs - 1
  const t = (probability: number): number => studentQuantile(probability, degrees)
  const standardErrors = t(level / 2) + t(1 - power)
  const smallest = smallestPValue(pairs, pairing ?? 'paired')
  const noise = (interval95.high - interval95.low) / 2 / t(0.025)
  return standardErrors * noise * rankSurcharge(smallest, level)
}

/**
 * Smallest |effect|, an ln ratio, that this many pairs would have flagged: not less than `bound`,
 * the smallest relevant one. Null if so few pairs can flag nothing, whatever the effect.
 */
export const minimumDetectable = (noise: NoiseOf, bound: number): number | null => {
  const effect = significantEffect(noise)
  const reachable = smallestPValue(noise.pairs, noise.pairing ?? 'paired')
  return effect === null || reachable > noise.level ? null : Math.max(bound, effect)
}

/** Pairs with which an |effect| would be significant, if the noise stays as it is. */
export const pairsToShow = (effect: number, noise: NoiseOf): number | null => {
  const smallest = significantEffect(noise)
  return smallest === null || effect === 0 ? null : noise.pairs * (smallest / effect) ** 2
}
