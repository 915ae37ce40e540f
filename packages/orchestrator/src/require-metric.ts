/** Whether a metric that a person asks for is one at all: a typo must not look like a quiet result. */
import { commonMetrics, isComparable, primaryMetric } from '@assay/model'
import type { Store } from '@assay/store'
import { metricUnknown } from './errors.ts'

/** Samples that are looked at for the names of their metrics. */
const looked = 1000

/** What the files of other tools tell of a sample; the rest of its usage is not known, not zero. */
const importedMetrics: readonly string[] = [primaryMetric, 'peakRssBytes']

/** Throws `metric-unknown` unless every sample can have the metric, or one of the run has it. */
export const requireMetric = (runId: string, metric: string, store: Store): void => {
  if (store.runs.get(runId).plan.pairing === 'unpaired') {
    if (importedMetrics.includes(metric)) return
    throw metricUnknown(metric, importedMetrics)
  }
  if (commonMetrics.includes(metric)) return
  const { samples } = store.samples.ofRun(runId, { limit: looked, cursor: null })
  const own = new Set(samples.flatMap(({ metrics }) => Object.keys(metrics).filter(isComparable)))
  if (own.has(metric)) return
  if (!isComparable(metric)) throw metricUnknown(metric, [...commonMetrics, ...own])
  // Names first seen beyond those samples are found by their values.
  const { blocks } = store.samples.evidence(runId, metric)
  const all = blocks.flatMap(({ cells }) => cells.flatMap((cell) => cell.samples))
  if (all.some(({ value }) => value !== null)) return
  throw metricUnknown(metric, [...new Set([...commonMetrics, ...own])])
}
