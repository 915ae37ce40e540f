/**
 * The exact distribution of the sum of a random choice of ranks: the null distribution of the
 * rank-sum statistic, ties included. All terms are positive, so even the far tail keeps its digits.
 */

/** Chance of each sum of `chosen` of the `ranks` (whole numbers from 1), every choice as likely. */
export const choiceDistribution = (ranks: readonly number[], chosen: number): Float64Array => {
  const total = ranks.reduce((sum, rank) => sum + rank, 0)
  const width = total + 1
  // Row k: chance that the ranks seen so far gave k chosen ones with that sum.
  const chance = new Float64Array((chosen + 1) * width)
  chance[0] = 1
  let reached = 0
  ranks.forEach((rank, seen) => {
    reached += rank
    const left = ranks.length - seen
    for (let taken = Math.min(chosen, seen + 1); taken >= 0; taken -= 1) {
      // Choosing without replacement: the next rank is taken with the share still to be chosen.
      const skip = Math.max(0, (left - (chosen - taken)) / left)
      const take = (chosen - taken + 1) / left
      const row = taken * width
      for (let sum = reached; sum >= 0; sum -= 1) {
        const before = taken > 0 && sum >= rank ? (chance[row - width + sum - rank] ?? 0) : 0
        chance[row + sum] = (chance[row + sum] ?? 0) * skip + before * take
      }
    }
  })
  return chance.slice(chosen * width)
}

/** P(sum <= `atMost`). */
export const lowerTailOf = (chance: Float64Array, atMost: number): number => {
  let tail = 0
  for (let sum = 0; sum <= atMost && sum < chance.length; sum += 1) tail += chance[sum] ?? 0
  return tail
}
