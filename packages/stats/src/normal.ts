/**
 * The standard normal distribution to double precision: simple-statistics has only a table with
 * two digits, too coarse for corrected p-values.
 */

/** erf for |x| < 2.5 by its Maclaurin series with positive terms (Abramowitz & Stegun 7.1.6). */
const errorFunctionBySeries = (x: number): number => {
  let term = x
  let sum = x
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17 && n < 200; n += 1) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** erfc for x >= 2.5 by its continued fraction (Abramowitz & Stegun 7.1.14), from the inside out. */
const complementByFraction = (x: number): number => {
  let fraction = x
  for (let depth = 80; depth >= 1; depth -= 1) fraction = x + depth / 2 / fraction
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction)
}

/** P(Z >= z) of a standard normal Z. */
export const upperTail = (z: number): number => {
  const x = z / Math.SQRT2
  if (x < 0) return 1 - upperTail(-z)
  return x < 2.5 ? (1 - errorFunctionBySeries(x)) / 2 : complementByFraction(x) / 2
}

/** The z for which P(Z >= z) is `probability`, which lies between 1e-300 and 0.5. */
export const upperQuantile = (probability: number): number => {
  let low = 0
  let high = 38
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2
    if (upperTail(middle) > probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}
