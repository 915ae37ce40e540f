/** Mean, median and order of some numbers, where compensated sums would cost more than they give. */

/** A sorted copy; by the runtime, without a call for each two of them. */
export const ascending = (values: readonly number[]): number[] =>
  Array.from(new Float64Array(values).sort())

/** What stands at `place` once `values` are sorted, with no larger one before it (Hoare 1961). */
const select = (values: Float64Array, place: number): number => {
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0
    let [left, right] = [low, high]
    while (left <= right) {
      while ((values[left] ?? pivot) < pivot) left += 1
      while ((values[right] ?? pivot) > pivot) right -= 1
      if (left > right) break
      const moved = values[left] ?? 0
      values[left] = values[right] ?? 0
      values[right] = moved
      left += 1
      right -= 1
    }
    if (place <= right) high = right
    else if (place >= left) low = left
    else break
  }
  return values[place] ?? Number.NaN
}

/** The median: the mean of the middle two where there is no middle one; NaN of none. */
export const medianOf = (values: readonly number[]): number => {
  const count = values.length
  const [first = Number.NaN] = values
  // Counts of what never happens are many in a report, and need no search.
  if (values.every((value) => value === first)) return first
  const partly = new Float64Array(values)
  const upper = select(partly, count >> 1)
  if (count % 2 === 1) return upper
  let lower = partly[0] ?? Number.NaN
  for (let at = 1; at < count >> 1; at += 1) lower = Math.max(lower, partly[at] ?? lower)
  return lower / 2 + upper / 2
}

/** The arithmetic mean; NaN of none. Each value is divided first, so that no sum overflows. */
export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value / values.length, 0)
