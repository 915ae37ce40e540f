/** Use-case: the report of a run in one of its formats, with the samples where a format prints them. */
import type { Report, StoredSample } from '@assay/model'
import { formatNamed, type ReportDetails } from '@assay/report'
import type { Store } from '@assay/store'
import { judgeMetric, judgeMetrics, judgeRun } from './judge-run.ts'
import { requireMetric } from './require-metric.ts'

/** Samples read at once. */
const pageSize = 5000

/** Every sample of a run, of all takes and with warmups, and the conditions. Errors: `run-not-found`. */
export const readDetails = (runId: string, store: Store): ReportDetails => {
  const samples: StoredSample[] = []
  let cursor: string | null = null
  do {
    const page = store.samples.ofRun(runId, { limit: pageSize, cursor })
    for (const sample of page.samples) samples.push(sample)
    cursor = page.nextCursor
  } while (cursor !== null)
  return { samples, conditions: store.rounds.conditionsOf(runId) }
}

/** How a run is printed. */
export interface Printing {
  readonly format: string
  /** What is judged; without it, what the campaign names. */
  readonly metric?: string
}

/** At least one; the one that decides comes first. */
const reportsFor = (
  runId: string,
  store: Store,
  printing: Printing,
): readonly [Report, ...Report[]] => {
  if (printing.metric !== undefined) {
    requireMetric(runId, printing.metric, store)
    return [judgeMetric(runId, printing.metric, store)]
  }
  return formatNamed(printing.format).joins ? judgeMetrics(runId, store) : [judgeRun(runId, store)]
}

/** What was printed, and what it says. */
export interface PrintedRun {
  readonly text: string
  /** The report that decides: of the metric asked for, else of the run's primary one. */
  readonly report: Report
}

/**
 * The judged run as text: of every metric that its campaign names where the format can join them,
 * else of the primary one. Errors: `run-not-found`, `report-format-unknown`, `metric-unknown`.
 */
export const printRun = (runId: string, store: Store, printing: Printing): PrintedRun => {
  const format = formatNamed(printing.format)
  const details = format.needsSamples ? readDetails(runId, store) : undefined
  const [report, ...further] = reportsFor(runId, store, printing)
  const text = [report, ...further].map((one) => format.render(one, {}, details)).join('')
  return { text, report }
}
