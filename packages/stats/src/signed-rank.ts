/**
 * Wilcoxon's signed-rank test on paired differences, two-sided (Wilcoxon 1945). Ties share their
 * midrank; zeros are ranked and then left out (Pratt 1959). The distribution is the exact one of
 * the ranks at hand, ties and zeros included; for many pairs the normal one with the variance of
 * those ranks and a continuity correction.
 */
import { upperTail } from './normal.ts'
import { exactUpTo, lowerTailOf, rankSumDistribution } from './rank-distribution.ts'
import { logRounding } from './rounding.ts'

/** What the test found. Rank sums are in whole or half ranks. */
export interface SignedRank {
  readonly pValue: number
  readonly positiveSum: number
  readonly negativeSum: number
  readonly method: 'exact' | 'normal'
}

interface SignedRankOf {
  /** Twice the midrank of |difference|, zeros counted. */
  readonly doubled: number
  readonly sign: -1 | 1
}

/** Ranks of the differences that are not zero, after ranking all of them. */
const rankWithoutZeros = (differences: readonly number[]): SignedRankOf[] => {
  const sorted = [...differences].sort((left, right) => Math.abs(left) - Math.abs(right))
  const ranks: SignedRankOf[] = []
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1
    while (
      end < sorted.length &&
      Math.abs(sorted[end] ?? 0) - Math.abs(sorted[end - 1] ?? 0) <= logRounding
    ) {
      end += 1
    }
    const isZero = Math.abs(sorted[start] ?? 0) <= logRounding
    for (let at = start; at < end && !isZero; at += 1) {
      // Ranks start+1 .. end share their mean; twice that mean is start + 1 + end.
      ranks.push({ doubled: start + 1 + end, sign: (sorted[at] ?? 0) < 0 ? -1 : 1 })
    }
    start = end
  }
  return ranks
}

const normalPValue = (doubledRanks: readonly number[], smallerSum: number): number => {
  const mean = doubledRanks.reduce((sum, rank) => sum + rank / 4, 0)
  const variance = doubledRanks.reduce((sum, rank) => sum + (rank * rank) / 16, 0)
  if (variance === 0) return 1
  const distance = Math.max(0, mean - smallerSum - 0.5)
  return Math.min(1, 2 * upperTail(distance / Math.sqrt(variance)))
}

/** Tests whether `differences` lie around zero. Nothing but zeros, or nothing at all, gives p = 1. */
export const signedRank = (differences: readonly number[]): SignedRank => {
  const ranks = rankWithoutZeros(differences)
  const sumOf = (sign: -1 | 1): number =>
    ranks.reduce((sum, rank) => (rank.sign === sign ? sum + rank.doubled : sum), 0)
  const positive = sumOf(1)
  const negative = sumOf(-1)
  const smaller = Math.min(positive, negative)
  const doubledRanks = ranks.map((rank) => rank.doubled)
  const method = differences.length <= exactUpTo ? 'exact' : 'normal'
  const pValue =
    method === 'exact'
      ? Math.min(1, 2 * lowerTailOf(rankSumDistribution(doubledRanks), smaller))
      : normalPValue(doubledRanks, smaller / 2)
  return { pValue, positiveSum: positive / 2, negativeSum: negative / 2, method }
}
