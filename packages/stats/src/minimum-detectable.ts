/**
 * What the rounds at hand could have shown: the smallest effect that would have been significant
 * with 80 % power. Read off the width of the interval, so it needs no assumption on the noise but
 * that more pairs narrow it by their square root.
 */
import type { Interval, SamplePairing } from '@assay/model'
import { smallestPValue } from './min-rounds.ts'
import { upperQuantile } from './normal.ts'

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

/** Smallest |ln ratio| that would be significant; null without an interval. */
const significantEffect = ({ interval95, level }: NoiseOf): number | null => {
  if (interval95 === null) return null
  const standardErrors = upperQuantile(level / 2) + upperQuantile(1 - power)
  return (standardErrors * (interval95.high - interval95.low)) / 2 / upperQuantile(0.025)
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
