/** Use-case: measure a run's plan again, as a new run; all of it or only the blocks that failed. */
import type { PlannedRun } from '@assay/model'
import { nothingFailed, runImported } from './errors.ts'
import { importFlavor } from './import-plan.ts'
import { type RunFacts, startPlan } from './start-plan.ts'
import type { StartRunSite } from './start-run.ts'

/** What to measure again. */
export interface RerunRequest extends Partial<RunFacts> {
  readonly runId: string
  /** Only blocks with a failed cell. */
  readonly failedOnly: boolean
  /** Orders the rounds of the new run; another seed than the old one's varies the order. */
  readonly seed: string
}

/** The new run, started; the old one stays as it is. Rejects with `nothing-failed`, `run-imported`. */
export const rerunRun = async (
  { runId, failedOnly, seed, ...facts }: RerunRequest,
  site: StartRunSite,
): Promise<PlannedRun> => {
  const { plan: oldPlan } = site.store.runs.get(runId)
  const cells = oldPlan.blocks.flatMap((block) => block.cells)
  if (cells.some(({ engine }) => engine.flavor === importFlavor)) throw runImported(runId)
  const failed = new Set(
    site.store.cells
      .ofRun(runId)
      .filter(({ status }) => status === 'failed')
      .map(({ blockId }) => blockId),
  )
  const blocks = oldPlan.blocks.filter(({ id }) => !failedOnly || failed.has(id))
  if (blocks.length === 0) throw nothingFailed(runId)
  return startPlan({ ...oldPlan, seed, blocks }, { name: null, ...facts }, site)
}
