/**
 * The test of Mann and Whitney (1947) on two unpaired samples, two-sided, and the shift that
 * belongs to it: the median of all differences with its interval (Hodges and Lehmann 1963;
 * Hollander and Wolfe, section 4.2). For values that were not measured round by round. Small
 * samples get the exact distribution of their own midranks; large ones the normal one with tie and
 * continuity correction.
 */
import type { Interval } from '@assay/model'
import { choiceDistribution, lowerTailOf } from './choice-distribution.ts'
import { upperQuantile, upperTail } from './normal.ts'
import { countOf, medianPairSum, type PairSums, pairSumAt } from './pair-sums.ts'
import { remembered } from './remembered.ts'
import { logRounding } from './rounding.ts'

/** Up to this many values in all the distribution is enumerated. */
const exactUpTo = 60

/** What the test found. */
export interface MannWhitney {
  readonly pValue: number
  /** Pairs (one of each side) in which the candidate's value is larger; half of a tie counts. */
  readonly u: number
  readonly method: 'exact' | 'normal'
}

interface Ranked {
  /** Twice the midrank of each of the candidate's values, and of all values. */
  readonly candidate: readonly number[]
  readonly all: readonly number[]
  readonly hasTies: boolean
}

const rank = (baseline: readonly number[], candidate: readonly number[]): Ranked => {
  const sorted = [
    ...baseline.map((value) => ({ value, isCandidate: false })),
    ...candidate.map((value) => ({ value, isCandidate: true })),
  ].sort((left, right) => left.value - right.value)
  const ranks: { candidate: number[]; all: number[] } = { candidate: [], all: [] }
  let hasTies = false
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1
    while (
      end < sorted.length &&
      (sorted[end]?.value ?? 0) - (sorted[end - 1]?.value ?? 0) <= logRounding
    ) {
      end += 1
    }
    if (end > start + 1) hasTies = true
    for (const one of sorted.slice(start, end)) {
      // Ranks start+1 .. end share their mean; twice that mean is start + 1 + end.
      ranks.all.push(start + 1 + end)
      if (one.isCandidate) ranks.candidate.push(start + 1 + end)
    }
    start = end
  }
  return { ...ranks, hasTies }
}

/** Chance of each u of two samples without ties, by u; it is symmetric, and so are the sizes. */
const untied = remembered((larger, smaller) => {
  const ranks = Array.from({ length: larger + smaller }, (_, index) => index + 1)
  const lowest = (smaller * (smaller + 1)) / 2
  const chance = choiceDistribution(ranks, smaller)
  return chance.subarray(lowest, lowest + larger * smaller + 1)
})

const untiedOf = (one: number, other: number): Float64Array =>
  untied(Math.max(one, other), Math.min(one, other))

/** A side with its u, of which the lower tail is wanted. */
interface LowSide {
  readonly u: number
  readonly size: number
}

const exactPValue = (ranked: Ranked, { u, size }: LowSide): number => {
  const others = ranked.all.length - size
  const tail = ranked.hasTies
    ? lowerTailOf(choiceDistribution(ranked.all, size), 2 * u + size * (size + 1))
    : lowerTailOf(untiedOf(size, others), u)
  return Math.min(1, 2 * tail)
}

const normalPValue = (ranked: Ranked, smaller: number, product: number): number => {
  const total = ranked.all.length
  const middle = total + 1
  // The variance of the midranks themselves: ties are in it.
  const spread = ranked.all.reduce((sum, doubled) => sum + ((doubled - middle) / 2) ** 2, 0)
  const variance = (product * spread) / (total * (total - 1))
  if (variance === 0) return 1
  return Math.min(1, 2 * upperTail(Math.max(0, product / 2 - smaller - 0.5) / Math.sqrt(variance)))
}

/** Tests whether the candidate's values tend to be larger or smaller. An empty side gives p = 1. */
export const mannWhitney = (
  baseline: readonly number[],
  candidate: readonly number[],
): MannWhitney => {
  const product = baseline.length * candidate.length
  if (product === 0) return { pValue: 1, u: 0, method: 'exact' }
  const ranked = rank(baseline, candidate)
  const sum = ranked.candidate.reduce((total, doubled) => total + doubled, 0) / 2
  const u = sum - (candidate.length * (candidate.length + 1)) / 2
  // With ties and unequal sizes the two tails differ: take the one that the data are in.
  const low: LowSide =
    2 * u <= product ? { u, size: candidate.length } : { u: product - u, size: baseline.length }
  const method = baseline.length + candidate.length <= exactUpTo ? 'exact' : 'normal'
  const pValue =
    method === 'exact' ? exactPValue(ranked, low) : normalPValue(ranked, low.u, product)
  return { pValue, u, method }
}

const exactMargin = (chance: Float64Array, tail: number): number => {
  let reached = 0
  let margin = 0
  for (const one of chance) {
    reached += one
    if (reached > tail) break
    margin += 1
  }
  return margin
}

const normalMargin = (baseline: number, candidate: number, tail: number): number => {
  const product = baseline * candidate
  const deviation = Math.sqrt((product * (baseline + candidate + 1)) / 12)
  return Math.max(0, Math.floor(product / 2 - 0.5 - upperQuantile(tail) * deviation) + 1)
}

/** A shift with one interval for each wanted confidence, null where so few values allow none. */
export interface Shift {
  readonly estimate: number
  readonly intervals: readonly (Interval | null)[]
}

const differencesOf = (baseline: readonly number[], candidate: readonly number[]): PairSums => ({
  left: Float64Array.from(candidate).sort(),
  right: Float64Array.from(baseline, (value) => -value).sort(),
})

/**
 * The shift from `baseline` to `candidate`, each of at least one value, in their unit, with one
 * interval for each confidence: null where so few values allow none.
 */
export const unpairedShift = (
  baseline: readonly number[],
  candidate: readonly number[],
  confidences: readonly number[],
): Shift => {
  const differences = differencesOf(baseline, candidate)
  const size = countOf(differences)
  const isSmall = baseline.length + candidate.length <= exactUpTo
  const intervals = confidences.map((confidence): Interval | null => {
    const tail = (1 - confidence) / 2
    const margin = isSmall
      ? exactMargin(untiedOf(baseline.length, candidate.length), tail)
      : normalMargin(baseline.length, candidate.length, tail)
    return margin === 0
      ? null
      : { low: pairSumAt(differences, margin - 1), high: pairSumAt(differences, size - margin) }
  })
  return { estimate: medianPairSum(differences), intervals }
}
