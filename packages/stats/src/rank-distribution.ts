/**
 * The exact distribution of a sum of whole numbers, each taken or left with probability 1/2: the
 * null distribution of the paired rank statistics.
 */

/** Probability of each possible sum of `terms`, whole numbers from 1, by sum. */
export const rankSumDistribution = (terms: readonly number[]): Float64Array => {
  const total = terms.reduce((sum, rank) => sum + rank, 0)
  const chance = new Float64Array(total + 1)
  chance[0] = 1
  let reached = 0
  for (const term of terms) {
    reached += term
    for (let sum = reached; sum >= 0; sum -= 1) {
      const left = chance[sum] ?? 0
      const taken = sum >= term ? (chance[sum - term] ?? 0) : 0
      chance[sum] = (left + taken) / 2
    }
  }
  return chance
}

/** P(sum <= `atMost`). */
export const lowerTailOf = (chance: Float64Array, atMost: number): number => {
  let tail = 0
  for (let sum = 0; sum <= atMost && sum < chance.length; sum += 1) tail += chance[sum] ?? 0
  return tail
}
