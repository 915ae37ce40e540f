/** Use-case: set one run against another. Not measured in one block, so every verdict is indicative. */
import type { Report } from '@assay/model'
import { compareRuns } from '@assay/stats'
import type { Store } from '@assay/store'
import { runAgainstItself } from './errors.ts'
import { requireMetric } from './require-metric.ts'

/** Two runs by reference, and the metric that is compared. */
export interface RunComparison {
  readonly baseline: string
  readonly candidate: string
  readonly metric: string
}

/**
 * Rows are matched by variant; what only one of the two has is said. Errors: `run-not-found`,
 * `run-against-itself`, `metric-unknown`.
 */
export const compareStoredRuns = (
  { baseline, candidate, metric }: RunComparison,
  store: Store,
): Report => {
  const [before, after] = [store.runs.find(baseline).id, store.runs.find(candidate).id]
  if (before === after) throw runAgainstItself(before)
  for (const id of [before, after]) requireMetric(id, metric, store)
  return compareRuns(store.samples.evidence(before, metric), store.samples.evidence(after, metric))
}
