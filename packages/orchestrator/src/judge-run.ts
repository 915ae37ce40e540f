/** Use-case: judge a run. Verdicts are never stored: this is the one function that computes them. */
import { primaryMetric, type Report, type Review, type Run } from '@assay/model'
import { judgeRun as judgeEvidence } from '@assay/stats'
import type { Store } from '@assay/store'

/**
 * The reports of a run as far as it was measured, one a metric that its campaign names: the primary
 * one, which decides, first. Each is a family of its own; equal samples give equal reports.
 */
export const judgeMetrics = (
  runId: string,
  store: Store,
): readonly [primary: Report, ...Report[]] => {
  const [primary = primaryMetric, ...further] = store.runs.get(runId).plan.verdict.metrics
  return [
    judgeMetric(runId, primary, store),
    ...further.map((metric) => judgeMetric(runId, metric, store)),
  ]
}

/** The report of one metric, whether its campaign names it or not. */
export const judgeMetric = (runId: string, metric: string, store: Store): Report =>
  reviewed(
    marked(judgeEvidence(store.samples.evidence(runId, metric)), store.runs.find(runId)),
    store.reviews.ofRun(runId),
  )

const reviewed = (report: Report, reviews: readonly Review[]): Report =>
  reviews.length === 0 ? report : { ...report, reviews }

/** A run that a person marked invalid says so before anything else. */
const marked = (report: Report, { invalid }: Run): Report => {
  if (invalid === null) return report
  const message = `this run was marked invalid: ${invalid.reason}`
  return {
    ...report,
    run: { ...report.run, invalid },
    warnings: [{ code: 'run-invalid', message }, ...report.warnings],
  }
}

/** The report of a run's primary metric. */
export const judgeRun = (runId: string, store: Store): Report => {
  const { metrics } = store.runs.get(runId).plan.verdict
  return judgeMetric(runId, metrics[0] ?? primaryMetric, store)
}
