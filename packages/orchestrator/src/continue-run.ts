/**
 * Use-case: go on with a run at once, instead of at the next `reconcile`: what a dead worker held is
 * queued again, and what waits is added to the queue once more. A living worker keeps what it has.
 */
import { AssayError, type Run } from '@assay/model'
import { reconcile } from './reconcile.ts'
import type { StartRunSite } from './start-run.ts'

const runOver = ({ id, status }: Run): AssayError =>
  new AssayError({
    code: 'run-terminal',
    kind: 'conflict',
    message: `run ${id} is ${status} and stays so: start a new run, or measure it again as one`,
    details: { id, status },
  })

/** The run, queued; rejects with `run-terminal` if there is nothing to go on with. */
export const continueRun = async (
  runId: string,
  site: Pick<StartRunSite, 'store' | 'courier'>,
): Promise<Run> => {
  const run = site.store.runs.find(runId)
  if (run.status !== 'planned' && run.status !== 'running') throw runOver(run)
  await reconcile(site)
  return site.store.runs.find(runId)
}
