/** Use-case: the report of a run in one of its formats, with the samples where a format prints them. */
import type { StoredSample } from '@assay/model'
import { formatNamed, type RenderOptions, type ReportDetails } from '@assay/report'
import type { Store } from '@assay/store'
import { judgeRun } from './judge-run.ts'

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

/** The judged run as text. Errors: `run-not-found`, `report-format-unknown`. */
export const printRun = (
  runId: string,
  store: Store,
  chosen: { readonly format: string; readonly options?: Partial<RenderOptions> },
): string => {
  const format = formatNamed(chosen.format)
  const report = judgeRun(runId, store)
  return format.needsSamples
    ? format.render(report, chosen.options, readDetails(runId, store))
    : format.render(report, chosen.options)
}
