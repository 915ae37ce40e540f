/**
 * Use-case: go on with a run whose process ended. Whatever was taken is queued again; saved rounds
 * stay, and the next take goes on after them.
 */
import type { PlannedRun } from '@assay/model'
import { enqueue } from './start-plan.ts'
import type { StartRunSite } from './start-run.ts'

/** The run, queued again; rejects with `run-terminal` if there is nothing to go on with. */
export const resumeRun = async (
  runId: string,
  site: Pick<StartRunSite, 'store' | 'courier'>,
): Promise<PlannedRun> => {
  await enqueue(site.store.blocks.requeueAll(runId), site.courier)
  return site.store.runs.get(runId)
}
