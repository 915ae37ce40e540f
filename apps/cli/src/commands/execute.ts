/** Executes a started or resumed run and prints its report: the shared end of `run` and `resume`. */
import { AssayError, exitCodes, type PlannedRun } from '@assay/model'
import { judgeRun } from '@assay/orchestrator'
import { renderReport } from '@assay/report'
import type { Surroundings } from '../config.ts'
import type { LocalSite } from '../local-site.ts'
import { showProgress } from '../progress.ts'

const stopped = (runId: string): AssayError =>
  new AssayError({
    code: 'interrupted',
    kind: 'unmeasurable',
    message: `stopped; finished rounds are saved. Go on with: assay resume ${runId}`,
  })

/** Whether some cell could not be measured, so that the report is not whole. */
const hasFailedCells = (site: LocalSite, runId: string): boolean =>
  site.store.cells.ofRun(runId).some(({ status }) => status === 'failed')

/** Gives the process's exit code; rejects with `interrupted` after Ctrl-C. */
export const executeAndReport = async (
  run: PlannedRun,
  site: LocalSite,
  options: { readonly surroundings: Surroundings; readonly format: string },
): Promise<number> => {
  const { surroundings, format } = options
  const progress = showProgress(run.plan, surroundings)
  try {
    await site.execute(run.id, progress.onEvent)
  } catch (error) {
    if (surroundings.stop.aborted) throw stopped(run.id)
    throw error
  } finally {
    progress.close()
  }
  if (surroundings.stop.aborted) throw stopped(run.id)
  surroundings.out(renderReport(judgeRun(run.id, site.store), format))
  return hasFailedCells(site, run.id) ? exitCodes.unmeasurable : exitCodes.fine
}
