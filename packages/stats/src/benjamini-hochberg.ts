/**
 * Control of the false-discovery rate over a family of tests (Benjamini and Hochberg 1995). Which
 * tests are a family is the caller's to say.
 */

/**
 * Adjusted p-values, in the order given: rejecting those of at most q keeps the expected share of
 * false discoveries at most q.
 */
export const adjustPValues = (pValues: readonly number[]): number[] => {
  const count = pValues.length
  const descending = pValues
    .map((pValue, index) => ({ pValue, index }))
    .sort((left, right) => right.pValue - left.pValue)
  const adjusted = new Array<number>(count).fill(1)
  let lowest = 1
  descending.forEach(({ pValue, index }, position) => {
    lowest = Math.min(lowest, (pValue * count) / (count - position))
    adjusted[index] = lowest
  })
  return adjusted
}
