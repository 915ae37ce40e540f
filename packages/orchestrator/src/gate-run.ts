/** Use-case: hold a run's report against the rules of a gate, accepted rows apart. */
import { type Gate, type GateRules, primaryMetric, type Report } from '@assay/model'
import { confirmGate, judgeGate } from '@assay/stats'
import type { Store } from '@assay/store'
import { judgeMetric } from './judge-run.ts'

/** A gate and the report that it was judged on, with that of the confirmation if there was one. */
export interface GatedRun {
  readonly gate: Gate
  readonly report: Report
  readonly confirmation: Report | null
}

/** Judges the primary metric's report at the gate. Errors: `run-not-found`. */
export const gateRun = (runId: string, rules: GateRules, store: Store): GatedRun => {
  const report = primaryReport(runId, store)
  return { gate: judgeGate(report, rules, report.reviews ?? []), report, confirmation: null }
}

const primaryReport = (runId: string, store: Store): Report => {
  const { metrics } = store.runs.get(runId).plan.verdict
  return judgeMetric(runId, metrics[0] ?? primaryMetric, store)
}

/** The gate once its regressions were measured again in that run. Errors: `run-not-found`. */
export const confirmedGate = (
  { gate, report }: GatedRun,
  confirmationId: string,
  store: Store,
): GatedRun => {
  const confirmation = primaryReport(confirmationId, store)
  return { gate: confirmGate(gate, report, confirmation), report, confirmation }
}
