/** Two cells of one block set against each other round by round. */
import { alignedRank } from './aligned-rank.ts'
import { type ComparedNumbers, noNumbers, printedChange, type Side } from './compared-numbers.ts'
import { logPairs, type Pair, pairByRound } from './pairs.ts'

/** Values that never differ need no ratio: counts of zero against zero are the same. */
const sameInEveryPair = (pairs: readonly Pair[]): boolean =>
  pairs.length > 0 && pairs.every((pair) => pair.baseline === pair.candidate)

const testOf = (pairs: readonly Pair[]): Partial<ComparedNumbers> => {
  const same = sameInEveryPair(pairs)
  const logs = same
    ? { baseline: pairs.map(() => 0), candidate: pairs.map(() => 0) }
    : logPairs(pairs)
  if (logs === null || pairs.length === 0) return {}
  const { estimate, intervals, pValue } = alignedRank(logs, [0.95, 0.9])
  const [interval95 = null, interval90 = null] = intervals
  return { effect: estimate, interval95, interval90, pValue }
}

/** Compares two cells of one block. No pairs, or a value without a logarithm, leaves no effect. */
export const comparePaired = (baseline: Side, candidate: Side): ComparedNumbers => {
  const { pairs, rounds } = pairByRound(baseline.samples, candidate.samples)
  return {
    ...noNumbers,
    pairs: pairs.length,
    rounds,
    ...printedChange(baseline.summary, candidate.summary),
    ...testOf(pairs),
  }
}
