/** Use-case: judge a run. Verdicts are never stored: this is the one function that computes them. */
import type { Report } from '@assay/model'
import { judgeRun as judgeEvidence } from '@assay/stats'
import type { Store } from '@assay/store'

/** The metric that decides: wall-clock time of the child, in seconds. */
const primaryMetric = 'wallSeconds'

/** The report of a run as far as it was measured; equal samples give equal reports. */
export const judgeRun = (runId: string, store: Store): Report =>
  judgeEvidence(store.samples.evidence(runId, primaryMetric))
