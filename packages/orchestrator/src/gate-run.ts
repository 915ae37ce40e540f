/** Use-case: hold a run's report against the rules of a gate, accepted rows apart. */
import { type Gate, type GateRules, primaryMetric, type Report } from '@assay/model'
import { judgeGate } from '@assay/stats'
import type { Store } from '@assay/store'
import { judgeMetric } from './judge-run.ts'

/** A gate and the report that it was judged on. */
export interface GatedRun {
  readonly gate: Gate
  readonly report: Report
}

/** Judges the primary metric's report at the gate. Errors: `run-not-found`. */
export const gateRun = (runId: string, rules: GateRules, store: Store): GatedRun => {
  const { metrics } = store.runs.get(runId).plan.verdict
  const report = judgeMetric(runId, metrics[0] ?? primaryMetric, store)
  return { gate: judgeGate(report, rules, report.reviews ?? []), report }
}
