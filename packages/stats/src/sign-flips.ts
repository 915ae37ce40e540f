/**
 * The randomization test of a sum of terms whose signs are, if nothing changed, as likely one way
 * as the other (Fisher 1935; Pitman 1937): the common end of the paired rank tests. Exact while the
 * sums can be enumerated; then normal with a continuity correction, which is on the safe side, for
 * a sum of bounded terms has lighter tails.
 */
import { upperTail } from './normal.ts'

/** What the test found. Sums are of the terms with each sign, both positive. */
export interface SignFlips {
  readonly pValue: number
  readonly positiveSum: number
  readonly negativeSum: number
}

/** P of a sum of at most `atMost` when each of `sizes`, whole numbers, is taken or left. */
const lowerTailOf = (sizes: readonly number[], atMost: number): number => {
  // Numbers of ways, which stay whole; sums above the wanted ones are never needed.
  const ways = new Float64Array(atMost + 1)
  ways[0] = 1
  let reached = 0
  for (const size of sizes) {
    reached = Math.min(atMost, reached + size)
    for (let sum = reached; sum >= size; sum -= 1) {
      ways[sum] = (ways[sum] ?? 0) + (ways[sum - size] ?? 0)
    }
  }
  let all = 0
  for (const way of ways) all += way
  return all / 2 ** sizes.length
}

const exactPValue = (sizes: readonly number[], smallerSum: number): number => {
  // Without ties doubled ranks differ by even numbers, and half of each enumerates sooner.
  const unit = sizes.every((size) => size % 2 === 0) ? 2 : 1
  const halved = unit === 1 ? sizes : sizes.map((size) => size / unit)
  return Math.min(1, 2 * lowerTailOf(halved, smallerSum / unit))
}

const normalPValue = (sizes: readonly number[], smallerSum: number): number => {
  const mean = sizes.reduce((sum, size) => sum + size / 2, 0)
  const variance = sizes.reduce((sum, size) => sum + (size * size) / 4, 0)
  if (variance === 0) return 1
  // Terms come doubled, so half a step is one.
  const distance = Math.max(0, mean - smallerSum - 1)
  return Math.min(1, 2 * upperTail(distance / Math.sqrt(variance)))
}

/** Tests whether `terms`, whole numbers (doubled ranks), sum to more or less than chance allows. */
export const signFlips = (terms: Iterable<number>, method: 'exact' | 'normal'): SignFlips => {
  let positiveSum = 0
  let negativeSum = 0
  const sizes: number[] = []
  for (const term of terms) {
    if (term === 0) continue
    if (term > 0) positiveSum += term
    else negativeSum -= term
    sizes.push(Math.abs(term))
  }
  const smaller = Math.min(positiveSum, negativeSum)
  const pValue = method === 'exact' ? exactPValue(sizes, smaller) : normalPValue(sizes, smaller)
  return { pValue, positiveSum, negativeSum }
}
