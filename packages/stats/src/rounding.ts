/**
 * What the arithmetic of logarithms cannot tell apart. The same samples in another unit, or with
 * the sides swapped, give log ratios that differ in their last bits; a tie, a zero or a threshold
 * must not be decided by those bits.
 */

/**
 * Log ratios closer than this are equal. ln of any double is at most 745, so its rounding error is
 * below 2e-13; a clock that ticks in nanoseconds separates ratios of one-second samples by 1e-9.
 */
export const logRounding = 1e-12

/** Whether `value` is at least `bound`, rounding errors apart. */
export const atLeast = (value: number, bound: number): boolean => value >= bound - logRounding

/** A log ratio, zero where rounding errors alone keep it from zero. */
export const snapped = (logRatio: number): number =>
  Math.abs(logRatio) <= logRounding ? 0 : logRatio

/** ln ratio -> fraction: 0.0953 -> 0.1. Finite for every double: beyond e^700 it stays at e^700. */
export const fractionOf = (logRatio: number): number => Math.expm1(Math.min(logRatio, 700))

/** The number itself if it is finite, else null; a negative zero becomes zero. */
export const finiteOrNull = (value: number): number | null =>
  Number.isFinite(value) ? value + 0 : null
