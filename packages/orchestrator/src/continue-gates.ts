/**
 * Use-case: bring gates on that nobody waits for. What was measured is held against its rules, what
 * regressed is measured again, once, and what has nothing more to be measured is decided.
 */
import type { GateState } from '@assay/model'
import type { Store, StoredGate } from '@assay/store'
import { confirmRun } from './confirm-run.ts'
import { confirmedGate, type GatedRun, gateRun } from './gate-run.ts'
import type { StartRunSite } from './start-run.ts'

/** The run that a gate still waits for; null if that is over. */
const pendingRun = ({ runId, confirmationId }: StoredGate, store: Store): string | null =>
  [runId, ...(confirmationId === null ? [] : [confirmationId])].find(
    (id) => store.runs.get(id).finishedAt === null,
  ) ?? null

/** Whether a confirmation was started; what failed or was cancelled is not measured again. */
const isConfirming = async (stored: StoredGate, site: StartRunSite): Promise<boolean> => {
  const { runId, rules, confirmRounds, confirmationId } = stored
  if (confirmRounds === null || confirmationId !== null) return false
  if (site.store.runs.get(runId).status !== 'complete') return false
  const { gate } = gateRun(runId, rules, site.store)
  return (await confirmRun({ gate, rounds: confirmRounds, seed: site.newId() }, site)) !== null
}

/** One pass over all gates that are not decided. */
export const continueGates = async (site: StartRunSite): Promise<void> => {
  for (const stored of site.store.gates.open()) {
    if (pendingRun(stored, site.store) !== null) continue
    if (await isConfirming(stored, site)) continue
    site.store.gates.decide(stored.runId)
  }
}

/** What a gate's runs say, the confirmation included. Errors: `gate-not-found`. */
export const gatedRunOf = (runId: string, store: Store): GatedRun => {
  const { rules, confirmationId } = store.gates.get(runId)
  const gated = gateRun(runId, rules, store)
  return confirmationId === null ? gated : confirmedGate(gated, confirmationId, store)
}

/** How far the gate of a run is. Errors: `run-not-found`, `gate-not-found`. */
export const stateOfGate = (runId: string, store: Store): GateState => {
  const { rules, confirmRounds, confirmationId, decidedAt } = store.gates.get(runId)
  const isDecided = decidedAt !== null
  return {
    status: isDecided ? 'decided' : confirmationId === null ? 'measuring' : 'confirming',
    ...{ rules, confirmRounds },
    run: store.runs.progress(runId),
    confirmation: confirmationId === null ? null : store.runs.progress(confirmationId),
    gate: isDecided ? gatedRunOf(runId, store).gate : null,
  }
}
