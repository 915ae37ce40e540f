/** The numbers of one comparison, before any verdict: printed change, effect, intervals, p-value. */
import type { EvidenceSample, Interval, Summary } from '@assay/model'
import { alignedRank } from './aligned-rank.ts'
import { logPairs, pairByRound } from './pairs.ts'
import { finiteOrNull } from './rounding.ts'

/** One side of a comparison. */
export interface Side {
  readonly samples: readonly EvidenceSample[]
  readonly summary: Summary | null
}

/** The fields of a `Comparison` that need no rules and no other row. */
export interface ComparedNumbers {
  readonly pairs: number
  readonly rounds: number
  readonly change: number | null
  readonly difference: number | null
  readonly effect: number | null
  readonly interval95: Interval | null
  readonly interval90: Interval | null
  readonly pValue: number | null
}

/** Numbers of a comparison of which nothing can be said. */
export const noNumbers: ComparedNumbers = {
  pairs: 0,
  rounds: 0,
  change: null,
  difference: null,
  effect: null,
  interval95: null,
  interval90: null,
  pValue: null,
}

/** Of the two medians: relative, null if the baseline's is not positive, and absolute. */
const printedChange = (
  baseline: Summary | null,
  candidate: Summary | null,
): Pick<ComparedNumbers, 'change' | 'difference'> => {
  if (baseline === null || candidate === null) return { change: null, difference: null }
  const difference = candidate.median - baseline.median
  return {
    change: baseline.median > 0 ? finiteOrNull(difference / baseline.median) : null,
    difference: finiteOrNull(difference),
  }
}

/** Compares two cells of one block. No pairs, or a value without a logarithm, leaves no effect. */
export const comparePaired = (baseline: Side, candidate: Side): ComparedNumbers => {
  const { pairs, rounds } = pairByRound(baseline.samples, candidate.samples)
  const printed = printedChange(baseline.summary, candidate.summary)
  const logs = logPairs(pairs)
  if (logs === null || pairs.length === 0) {
    return { ...noNumbers, ...printed, pairs: pairs.length, rounds }
  }
  const { estimate, intervals, pValue } = alignedRank(logs, [0.95, 0.9])
  const [interval95 = null, interval90 = null] = intervals
  return {
    pairs: pairs.length,
    rounds,
    ...printed,
    effect: estimate,
    interval95,
    interval90,
    pValue,
  }
}
