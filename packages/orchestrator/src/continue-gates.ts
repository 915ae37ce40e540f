/**
 * Use-case: bring gates on that nobody waits for. What was measured is held against its rules, what
 * regressed is measured again, once, and what has nothing more to be measured is decided.
 */
import type { Gate, GateState } from '@assay/model'
import type { Store, StoredGate } from '@assay/store'
import { confirmRun } from './confirm-run.ts'
import { confirmedGate, gateRun } from './gate-run.ts'
import type { StartRunSite } from './start-run.ts'

/** Whether a confirmation was started; what failed or was cancelled is not measured again. */
const isConfirming = async (stored: StoredGate, site: StartRunSite): Promise<boolean> => {
  const { runId, rules, confirmRounds, confirmationId } = stored
  if (confirmRounds === null || confirmationId !== null) return false
  if (site.store.runs.get(runId).status !== 'complete') return false
  const { gate } = gateRun(runId, rules, site.store)
  return (await confirmRun({ gate, rounds: confirmRounds, seed: site.newId() }, site)) !== null
}

/** One pass over all gates whose runs are over. */
export const continueGates = async (site: StartRunSite): Promise<void> => {
  for (const stored of site.store.gates.due()) {
    if (await isConfirming(stored, site)) continue
    site.store.gates.decide(stored.runId)
  }
}

/** What a gate's runs say, the confirmation included. */
const outcomeOf = ({ runId, rules, confirmationId }: StoredGate, store: Store): Gate => {
  const gated = gateRun(runId, rules, store)
  return (confirmationId === null ? gated : confirmedGate(gated, confirmationId, store)).gate
}

/** How far the gate of a run is. Errors: `run-not-found`, `gate-not-found`. */
export const stateOfGate = (runId: string, store: Store): GateState => {
  const stored = store.gates.get(runId)
  const { rules, confirmRounds, confirmationId, decidedAt } = stored
  const isDecided = decidedAt !== null
  return {
    status: isDecided ? 'decided' : confirmationId === null ? 'measuring' : 'confirming',
    ...{ rules, confirmRounds },
    run: store.runs.progress(runId),
    confirmation: confirmationId === null ? null : store.runs.progress(confirmationId),
    gate: isDecided ? outcomeOf(stored, store) : null,
  }
}
