/** The median of a few numbers, where compensated sums would cost more than they give. */

/** Mean of the middle two where there is no middle one; NaN of none. */
export const medianOf = (values: readonly number[]): number => {
  const sorted = Float64Array.from(values).sort()
  const low = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  const high = sorted[sorted.length >> 1] ?? Number.NaN
  return low / 2 + high / 2
}
