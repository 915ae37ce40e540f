/** Use-case: set one run against another. Not measured in one block, so every verdict is indicative. */
import type { Report } from '@assay/model'
import { compareRuns } from '@assay/stats'
import type { Store } from '@assay/store'

/** Two runs by reference, and the metric that is compared. */
export interface RunComparison {
  readonly baseline: string
  readonly candidate: string
  readonly metric: string
}

/** Rows are matched by variant; what only one of the two has is said. Errors: `run-not-found`. */
export const compareStoredRuns = (
  { baseline, candidate, metric }: RunComparison,
  store: Store,
): Report => {
  const evidenceOf = (reference: string) =>
    store.samples.evidence(store.runs.find(reference).id, metric)
  return compareRuns(evidenceOf(baseline), evidenceOf(candidate))
}
