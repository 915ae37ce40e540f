/**
 * The exact distribution of a sum of ranks, each taken or left with probability 1/2: the null
 * distribution of Wilcoxon's signed-rank statistic. Used by the test and by the interval, so that
 * the two agree. Ranks come doubled, which makes midranks whole.
 */

/** Up to this many differences the distribution is enumerated; beyond, the normal one stands in. */
export const exactUpTo = 100

/** Probability of each possible sum, by sum. `doubledRanks` are whole numbers from 1. */
export const rankSumDistribution = (doubledRanks: readonly number[]): Float64Array => {
  const total = doubledRanks.reduce((sum, rank) => sum + rank, 0)
  const chance = new Float64Array(total + 1)
  chance[0] = 1
  let reached = 0
  for (const rank of doubledRanks) {
    reached += rank
    for (let sum = reached; sum >= 0; sum -= 1) {
      const left = chance[sum] ?? 0
      const taken = sum >= rank ? (chance[sum - rank] ?? 0) : 0
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

/** The doubled ranks 1..count of differences without ties. */
export const untiedRanks = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => 2 * (index + 1))
