/** Use-case: measure what regressed once more, as a run of its own and of fixed size. */
import type { Gate, PlannedRun } from '@assay/model'
import { startPlan } from './start-plan.ts'
import type { StartRunSite } from './start-run.ts'

/** What is confirmed, and how. */
export interface ConfirmationRequest {
  readonly gate: Gate
  /** Rounds of each block: neither fewer nor more, whatever they show. */
  readonly rounds: number
  /** Orders the rounds; another seed than the first run's. */
  readonly seed: string
}

/** Blocks in which a regression blocks. */
const blockedBlocks = ({ rows }: Gate): ReadonlySet<string> =>
  new Set(
    rows
      .filter(({ state, blocker }) => state === 'blocks' && blocker === 'regression')
      .map(({ blockId }) => blockId),
  )

/** The new run, started; null if no regression blocks. The first run stays as it is. */
export const confirmRun = async (
  { gate, rounds, seed }: ConfirmationRequest,
  site: StartRunSite,
): Promise<PlannedRun | null> => {
  const wanted = blockedBlocks(gate)
  if (wanted.size === 0) return null
  const { plan } = site.store.runs.get(gate.runId)
  const blocks = plan.blocks.filter(({ id }) => wanted.has(id))
  const sampling = { ...plan.sampling, rounds: { min: rounds, max: rounds }, budgetSeconds: null }
  const labels = { confirms: gate.runId }
  const facts = { name: null, labels, confirms: gate.runId }
  return startPlan({ ...plan, seed, blocks, sampling }, facts, site)
}
