/** The numbers of one comparison before any verdict, and those that follow from the summaries. */
import type { EvidenceSample, Interval, Summary } from '@assay/model'
import { finiteOrNull } from './rounding.ts'

/** One side of a comparison. */
export interface Side {
  readonly samples: readonly EvidenceSample[]
  readonly summary: Summary | null
}

/** The fields of a `Comparison` that need no rules and no other row. */
export interface ComparedNumbers {
  /** Pairs of good samples; of unpaired sides, good samples of the smaller one. */
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
export const printedChange = (
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
