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
import { medianOf } from './median.ts'
import { upperQuantile } from './normal.ts'
import { countOf, medianPairSum, type PairSums, pairSumAt } from './pair-sums.ts'
import { logRounding, snapped } from './rounding.ts'
import { signFlips } from './sign-flips.ts'

/** Both sides by round, as logarithms; as many of one as of the other. */
export interface LogPairs {
  readonly baseline: readonly number[]
  readonly candidate: readonly number[]
}

/** What the test found. Effects in ln ratios; an interval is null where so few pairs allow none. */
export interface AlignedRank {
  readonly pValue: number
  readonly method: 'exact' | 'normal'
  readonly estimate: number
  readonly intervals: readonly (Interval | null)[]
}

/**
 * Rounds to each side that tell a round's level. Fifteen medians outvote a burst and still follow a
 * host that warms up. Swapping samples leaves it as it is, so that no choice here costs validity.
 */
const reach = 7

/** Up to this many pairs all swaps are enumerated. */
const exactUpTo = 40

/** A side freed of drift, ascending, with the round of each value. */
interface Side {
  readonly values: Float64Array
  readonly rounds: readonly number[]
}

interface Aligned {
  readonly baseline: Side
  readonly candidate: Side
  /** The table of all differences of the sides. */
  readonly differences: PairSums
}

const align = ({ baseline, candidate }: LogPairs): Aligned => {
  const middles = baseline.map((value, at) => value / 2 + (candidate[at] ?? value) / 2)
  const levels = middles.map((_, at) =>
    medianOf(middles.slice(Math.max(0, at - reach), at + reach + 1)),
  )
  const sideOf = (values: readonly number[]): Side => {
    const freed = values.map((value, round) => value - (levels[round] ?? 0))
    const rounds = [...freed.keys()].sort((a, b) => (freed[a] ?? 0) - (freed[b] ?? 0))
    return { values: Float64Array.from(rounds, (round) => freed[round] ?? 0), rounds }
  }
  const sides = { baseline: sideOf(baseline), candidate: sideOf(candidate) }
  const left = sides.candidate.values
  const right = sides.baseline.values.map((value) => -value).reverse()
  return { ...sides, differences: { left, right } }
}

/** Twice the candidate's rank less twice the baseline's, by round, were the candidate `shift` less. */
const rankDifferences = ({ baseline, candidate }: Aligned, shift: number): number[] => {
  const count = baseline.values.length
  const terms = new Array<number>(count).fill(0)
  const add = (side: Side, at: number, doubled: number): void => {
    const round = side.rounds[at] ?? 0
    terms[round] = (terms[round] ?? 0) + doubled
  }
  let [left, right] = [0, 0]
  while (left + right < 2 * count) {
    const [fromLeft, fromRight] = [left, right]
    let last: number | null = null
    // A run of values that rounding cannot tell apart shares its mean rank.
    while (left + right < 2 * count) {
      const one = baseline.values[left] ?? Infinity
      const other = (candidate.values[right] ?? Infinity) - shift
      const next = Math.min(one, other)
      if (last !== null && next - last > logRounding) break
      last = next
      if (one <= other) left += 1
      else right += 1
    }
    // Ranks first+1 .. end share their mean; twice that mean is first + 1 + end.
    const doubled = fromLeft + fromRight + 1 + left + right
    for (let at = fromLeft; at < left; at += 1) add(baseline, at, -doubled)
    for (let at = fromRight; at < right; at += 1) add(candidate, at, doubled)
  }
  return terms
}

/** p of the hypothesis that the candidate is `shift` more than the baseline. */
type Test = (shift: number) => number

/** p of the shifts between the difference at `index` - 1 and the one at `index`. */
const pValueOfGap = (differences: PairSums, test: Test, index: number): number => {
  const above = pairSumAt(differences, index)
  return test(index === 0 ? above - 1 : (pairSumAt(differences, index - 1) + above) / 2)
}

/**
 * The first gap, from the lower end, that is not rejected at `tail` on each side. Gaps below it are
 * rejected and gaps up to the middle are not, so a gallop from a good guess finds the border.
 */
const borderFrom = (guess: number, middle: number, isHeld: (gap: number) => boolean): number => {
  const clamped = Math.max(0, Math.min(middle, guess))
  let [rejected, held] = [-1, middle]
  let step = 1
  if (isHeld(clamped)) {
    held = clamped
    for (let gap = clamped - 1; gap >= 0; gap -= step, step *= 2) {
      if (!isHeld(gap)) {
        rejected = gap
        break
      }
      held = gap
    }
  } else {
    rejected = clamped
    for (let gap = clamped + 1; gap < middle; gap += step, step *= 2) {
      if (isHeld(gap)) {
        held = gap
        break
      }
      rejected = gap
    }
  }
  while (held - rejected > 1) {
    const gap = (held + rejected) >> 1
    if (isHeld(gap)) held = gap
    else rejected = gap
  }
  return held
}

interface IntervalQuestion {
  readonly aligned: Aligned
  readonly test: Test
  /** Standard deviation of the number of positive differences, were there no shift but the estimate. */
  readonly deviation: number
}

const intervalOf = (question: IntervalQuestion, confidence: number): Interval | null => {
  const { aligned, test, deviation } = question
  const { differences } = aligned
  const size = countOf(differences)
  const level = 1 - confidence
  // Below the lowest difference every round says the same: the strongest evidence there can be.
  if (pValueOfGap(differences, test, 0) > level) return null
  const middle = size >> 1
  const guess = Math.floor(size / 2 - upperQuantile(level / 2) * deviation)
  const low = borderFrom(guess, middle, (gap) => pValueOfGap(differences, test, gap) > level)
  const mirrored = (gap: number): number => {
    const below = pairSumAt(differences, size - 1 - gap)
    return test(gap === 0 ? below + 1 : (pairSumAt(differences, size - gap) + below) / 2)
  }
  const high = borderFrom(guess, middle, (gap) => mirrored(gap) > level)
  return {
    low: snapped(pairSumAt(differences, Math.max(0, low - 1))),
    high: snapped(pairSumAt(differences, size - Math.max(1, high))),
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
  const estimate = medianPairSum(aligned.differences)
  const terms = rankDifferences(aligned, estimate)
  const deviation = Math.sqrt(terms.reduce((sum, term) => sum + term * term, 0)) / 4
  const question = { aligned, test, deviation }
  return {
    pValue: test(0),
    method,
    estimate: snapped(estimate),
    intervals: confidences.map((confidence) => intervalOf(question, confidence)),
  }
}
