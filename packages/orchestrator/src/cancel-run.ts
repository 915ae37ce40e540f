/** Use-case: cancel a run. What was measured is kept; a block in progress is given up by its worker. */
import type { Run } from '@assay/model'
import type { StartRunSite } from './start-run.ts'

/** The cancelled run; rejects with `run-terminal` if it had ended before. */
export const cancelRun = async (
  runId: string,
  site: Pick<StartRunSite, 'store' | 'courier'>,
): Promise<Run> => {
  const run = site.store.runs.setStatus(runId, 'cancelled', null)
  await site.courier.remove(runId)
  return run
}
