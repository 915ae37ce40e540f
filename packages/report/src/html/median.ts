/** The middle of what a page draws or lists. */

/** The median; null of nothing. */
export const medianOf = (values: readonly number[]): number | null => {
  const sorted = Float64Array.from(values).sort()
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
