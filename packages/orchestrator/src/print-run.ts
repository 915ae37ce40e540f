/** Use-case: the report of a run in one of its formats, with the samples where a format prints them. */
import type { Report, StoredSample } from '@assay/model'
import { formatNamed, type ReportDetails } from '@assay/report'
import type { Store } from '@assay/store'
import { judgeMetric, judgeMetrics, judgeRun } from './judge-run.ts'
import { requireMetric } from './require-metric.ts'

/** Samples read at once. */
const pageSize = 5000

/** Every sample of a run, of all takes and with warmups. Errors: `run-not-found`. */
export const readDetails = (runId: string, store: Store): ReportDetails => {
  const samples: StoredSample[] = []
  let cursor: string | null = null
  do {
    const page = store.samples.ofRun(runId, { limit: pageSize, cursor })
    for (const sample of page.samples) samples.push(sample)
    cursor = page.nextCursor
  } while (cursor !== null)
  return { samples }
}

/** How a run is printed. */
export interface Printing {
  readonly format: string
  /** What is judged; without it, what the campaign names. */
  readonly metric?: string
}

const reportsFor = (runId: string, store: Store, printing: Printing): readonly Report[] => {
  if (printing.metric !== undefined) {
    requireMetric(runId, printing.metric, store)
    return [judgeMetric(runId, printing.metric, store)]
  }
  return formatNamed(printing.format).joins ? judgeMetrics(runId, store) : [judgeRun(runId, store)]
}

/**
 * The judged run as text: of every metric that its campaign names where the format can join them,
 * else of the primary one. Errors: `run-not-found`, `report-format-unknown`, `metric-unknown`.
 */
export const printRun = (runId: string, store: Store, printing: Printing): string => {
  const format = formatNamed(printing.format)
  const details = format.needsSamples ? readDetails(runId, store) : undefined
  return reportsFor(runId, store, printing)
    .map((report) => format.render(report, {}, details))
    .join('')
}
