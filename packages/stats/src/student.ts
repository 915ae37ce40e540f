/** Quantiles of Student's t: how much less few values know of their own spread. */
import { upperQuantile } from './normal.ts'

/**
 * The t that is exceeded with `probability`, below 0.5, at `degrees` of freedom, by the expansion in
 * powers of 1/degrees (Abramowitz & Stegun 26.7.5): within 1 % from five degrees on at the levels of
 * tests.
 */
export const studentQuantile = (probability: number, degrees: number): number => {
  const z = upperQuantile(probability)
  const square = z * z
  const terms = [
    (z * (square + 1)) / 4,
    (z * (5 * square ** 2 + 16 * square + 3)) / 96,
    (z * (3 * square ** 3 + 19 * square ** 2 + 17 * square - 15)) / 384,
  ]
  return terms.reduce((sum, term, at) => sum + term / degrees ** (at + 1), z)
}
