/** Use-case: the rows of a run's report by themselves, each with what it is compared with. */
import type { ComparisonRow, Report, ReportBlock } from '@assay/model'
import type { Store } from '@assay/store'
import { judgeMetric, judgeRun } from './judge-run.ts'
import { requireMetric } from './require-metric.ts'

const rowsOf = ({ blockId, headings, rows }: ReportBlock): ComparisonRow[] => {
  const found = rows.find(({ role }) => role === 'baseline')
  const baseline =
    found === undefined
      ? null
      : { cellId: found.cellId, label: found.label, summary: found.summary }
  return rows.flatMap(({ cellId, label, role, summary, comparison }) =>
    comparison === null
      ? []
      : [{ blockId, cellId, headings, label, role, baseline, summary, comparison }],
  )
}

/**
 * Comparisons of the primary metric, or of another, in the order of the report. Errors:
 * `run-not-found`, `metric-unknown`.
 */
export const listComparisons = (
  runId: string,
  metric: string | undefined,
  store: Store,
): { readonly metric: Report['metric']; readonly comparisons: readonly ComparisonRow[] } => {
  if (metric !== undefined) requireMetric(runId, metric, store)
  const report = metric === undefined ? judgeRun(runId, store) : judgeMetric(runId, metric, store)
  return { metric: report.metric, comparisons: report.blocks.flatMap(rowsOf) }
}
