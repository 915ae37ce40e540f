/** Executes a started or resumed run and prints its report: the shared end of `run` and `resume`. */
import { AssayError, exitCodes, type PlannedRun, type Report } from '@assay/model'
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

/** Whether something could not be measured, or the host was too restless to be believed. */
const isDoubtful = ({ blocks, warnings }: Report): boolean =>
  blocks.some(({ rows }) => rows.some(({ status }) => status === 'failed')) ||
  warnings.some(({ code }) => code === 'self-check-flagged')

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
  const report = judgeRun(run.id, site.store)
  surroundings.out(renderReport(report, format))
  return isDoubtful(report) ? exitCodes.unmeasurable : exitCodes.fine
}
