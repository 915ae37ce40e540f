/**
 * The test that decides, and the effect and interval that belong to it: aligned ranks (Hodges and
 * Lehmann 1962). Both samples of a round are freed of the host's drift by subtracting what the
 * rounds around it have in common; then all of them are ranked together, and the null distribution
 * is that of swapping the two samples of each round, which their random order justifies. As valid
 * as Wilcoxon's signed-rank test, and stronger where a sample is slow now and then: a pair with an
 * outlier still says where its other sample lies. The effect is the median of all differences
 * between the sides, the interval holds the shifts that the test does not reject.
 */
import type { Interval } from '@assay/model'
import { borderFrom } from './border.ts'
import { type LogPairs, withoutDrift } from './drift-free.ts'
import { upperQuantile } from './normal.ts'
import {
  countOf,
  lowestSum,
  medianPairSum,
  neighboursAt,
  type PairSums,
  pairSumAt,
  type Split,
} from './pair-sums.ts'
import { logRounding, snapped } from './rounding.ts'
import { signFlips } from './sign-flips.ts'

/** What the test found. Effects in ln ratios; an interval is null where so few pairs allow none. */
export interface AlignedRank {
  readonly pValue: number
  readonly method: 'exact' | 'normal'
  readonly estimate: number
  readonly intervals: readonly (Interval | null)[]
}

/** Up to this many pairs all swaps are enumerated. */
const exactUpTo = 40

/** A side freed of drift, ascending and ended by an infinity, with the round of each value. */
interface Side {
  readonly values: Float64Array
  readonly rounds: Uint32Array
}

interface Aligned {
  readonly count: number
  readonly baseline: Side
  readonly candidate: Side
  /** The table of all differences of the sides. */
  readonly differences: PairSums
  /** What searches in that table found out, for the next ones. */
  readonly splits: Split[]
}

const sideOf = (freed: readonly number[]): Side => {
  const rounds = Uint32Array.from(freed.keys()).sort((a, b) => (freed[a] ?? 0) - (freed[b] ?? 0))
  const sorted = new Float64Array(freed.length + 1).fill(Infinity)
  rounds.forEach((round, at) => {
    sorted[at] = freed[round] ?? 0
  })
  return { values: sorted, rounds }
}

const align = (pairs: LogPairs): Aligned => {
  const count = pairs.baseline.length
  const freed = withoutDrift(pairs)
  const baseline = sideOf(freed.baseline)
  const candidate = sideOf(freed.candidate)
  const right = baseline.values
    .subarray(0, count)
    .map((value) => -value)
    .reverse()
  return {
    count,
    baseline,
    candidate,
    differences: { left: candidate.values.subarray(0, count), right },
    splits: [],
  }
}

/** Twice the candidate's rank less twice the baseline's, by round, were the candidate `shift` less. */
const rankDifferences = ({ count, baseline, candidate }: Aligned, shift: number): Float64Array => {
  const terms = new Float64Array(count)
  let left = 0
  let right = 0
  while (left + right < 2 * count) {
    const fromLeft = left
    const fromRight = right
    let last = Infinity
    // A run of values that rounding cannot tell apart shares its mean rank.
    for (;;) {
      const one = baseline.values[left] ?? Infinity
      const other = (candidate.values[right] ?? Infinity) - shift
      const next = Math.min(one, other)
      if (next === Infinity || next - last > logRounding) break
      last = next
      if (one <= other) left += 1
      else right += 1
    }
    // Ranks first+1 .. end share their mean; twice that mean is first + 1 + end.
    const doubled = fromLeft + fromRight + 1 + left + right
    for (let at = fromLeft; at < left; at += 1) {
      const round = baseline.rounds[at] ?? 0
      terms[round] = (terms[round] ?? 0) - doubled
    }
    for (let at = fromRight; at < right; at += 1) {
      const round = candidate.rounds[at] ?? 0
      terms[round] = (terms[round] ?? 0) + doubled
    }
  }
  return terms
}

/** p of the hypothesis that the candidate is `shift` more than the baseline. */
type Test = (shift: number) => number

interface IntervalQuestion {
  readonly aligned: Aligned
  readonly test: Test
  readonly confidence: number
}

/** The gap at which a normal approximation puts the border, from the lower end. */
const guessedBorder = (
  aligned: Aligned,
  quantile: number,
  shiftOf: (gap: number) => number,
): number => {
  const middle = countOf(aligned.differences) / 2
  let gap = middle
  // The spread of the statistic is that at the border, which two steps find well enough.
  for (let step = 0; step < 3; step += 1) {
    const terms = rankDifferences(aligned, shiftOf(Math.max(1, Math.floor(gap))))
    gap = middle - (quantile * Math.sqrt(terms.reduce((sum, term) => sum + term * term, 0))) / 4
  }
  return Math.floor(gap)
}

const intervalOf = ({ aligned, test, confidence }: IntervalQuestion): Interval | null => {
  const { differences, splits } = aligned
  const size = countOf(differences)
  const level = 1 - confidence
  const quantile = upperQuantile(level / 2)
  // Beyond all differences every round says the same: the strongest evidence there can be.
  if (test(lowestSum(differences) - 1) > level) return null
  const shiftBefore = (index: number): number => {
    const { below, above } = neighboursAt(differences, index, splits)
    return below / 2 + above / 2
  }
  const border = (shiftOf: (gap: number) => number): number =>
    borderFrom(
      guessedBorder(aligned, quantile, shiftOf),
      size >> 1,
      (gap) => test(shiftOf(gap)) > level,
    )
  const low = border(shiftBefore)
  const high = border((gap) => shiftBefore(size - gap))
  return {
    low: snapped(pairSumAt(differences, low - 1, splits)),
    high: snapped(pairSumAt(differences, size - high, splits)),
  }
}

/**
 * Tests whether the candidate differs from the baseline, in at least one round given in order, and
 * estimates by how much, with an interval for each confidence. Two equal sides have p = 1.
 */
export const alignedRank = (pairs: LogPairs, confidences: readonly number[]): AlignedRank => {
  const aligned = align(pairs)
  const method = pairs.baseline.length <= exactUpTo ? 'exact' : 'normal'
  const test: Test = (shift) => signFlips(rankDifferences(aligned, shift), method).pValue
  return {
    pValue: test(0),
    method,
    estimate: snapped(medianPairSum(aligned.differences, aligned.splits)),
    intervals: confidences.map((confidence) => intervalOf({ aligned, test, confidence })),
  }
}
