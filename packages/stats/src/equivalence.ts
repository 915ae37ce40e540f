/**
 * Equivalence by interval inclusion: two one-sided tests at 5 % hold exactly when the 90 % interval
 * lies within the band (Schuirmann 1987). It is evidence of no change, which a large p is not.
 */
import type { Interval } from '@assay/model'
import { atLeast } from './rounding.ts'

/** Whether `interval90` of an effect, in ln ratios, lies within +-`tolerance`, a fraction. */
export const isEquivalent = (interval90: Interval | null, tolerance: number): boolean => {
  const bound = Math.log1p(tolerance)
  return interval90 !== null && atLeast(interval90.low, -bound) && atLeast(bound, interval90.high)
}
