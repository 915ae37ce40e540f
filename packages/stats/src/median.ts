/** Mean and median of a few numbers, where compensated sums would cost more than they give. */

/** Mean of the middle two where there is no middle one; NaN of none. Sorts by insertion: for few. */
export const medianOf = (values: readonly number[]): number => {
  const sorted: number[] = []
  for (const value of values) {
    let at = sorted.length
    for (; at > 0 && (sorted[at - 1] ?? value) > value; at -= 1)
      sorted[at] = sorted[at - 1] ?? value
    sorted[at] = value
  }
  const low = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  const high = sorted[sorted.length >> 1] ?? Number.NaN
  return low / 2 + high / 2
}

/** The arithmetic mean; NaN of none. Each value is divided first, so that no sum overflows. */
export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value / values.length, 0)
