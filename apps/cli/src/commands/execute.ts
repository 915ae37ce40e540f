/** Executes a run and prints its report: the shared end of `run` and `resume`. */
import { AssayError, exitCodes, type PlannedRun, type Report, type ReportRow } from '@assay/model'
import { type Printing, printRun } from '@assay/orchestrator'
import type { Store } from '@assay/store'
import type { Surroundings } from '../config.ts'
import type { LocalSite } from '../local-site.ts'
import { showProgress } from '../progress.ts'

const stopped = (runId: string): AssayError =>
  new AssayError({
    code: 'interrupted',
    kind: 'unmeasurable',
    message: `stopped; finished rounds are saved. Go on with: assay resume ${runId}`,
  })

/** Warnings of a row that lost samples. */
const lossCodes: readonly string[] = ['missing-pairs', 'missing-samples']

const lacksSamples = ({ status, comparison }: ReportRow): boolean =>
  status === 'failed' ||
  (comparison?.warnings.some(({ code }) => lossCodes.includes(code)) ?? false)

/** Whether there is not one row that an engine here can run. */
const supportsNothing = (rows: readonly ReportRow[]): boolean =>
  rows.length > 0 && rows.every(({ status }) => status === 'unsupported')

/** Warnings of a run that cannot be believed as a whole, is not all measured yet, or left a mess. */
const runCodes: readonly string[] = [
  'run-invalid',
  'run-incomplete',
  'self-check-flagged',
  'cleanup-failed',
]

/** 3 if something was not or could not be measured or cleaned up, or the host was too restless; else 0. */
export const exitCodeOf = ({ blocks, warnings }: Report): number =>
  blocks.some(({ rows }) => rows.some(lacksSamples)) ||
  supportsNothing(blocks.flatMap(({ rows }) => rows)) ||
  warnings.some(({ code }) => runCodes.includes(code))
    ? exitCodes.unmeasurable
    : exitCodes.fine

/** Where and how a report is printed. */
interface Output extends Printing {
  readonly surroundings: Surroundings
}

/** Prints a run's report; gives the process's exit code. */
export const printReport = (runId: string, store: Store, output: Output): number => {
  const { text, report } = printRun(runId, store, output)
  output.surroundings.out(text)
  return exitCodeOf(report)
}

/** Measures a run, showing how far it is; rejects with `interrupted` after Ctrl-C. */
export const executeRun = async (
  run: PlannedRun,
  site: LocalSite,
  surroundings: Surroundings,
): Promise<void> => {
  const finished = site.store.blocks.showOf(run.id).filter(({ status }) => status === 'done')
  const progress = showProgress(
    run.plan,
    new Map(finished.map(({ blockId, take }) => [blockId, take?.savedRounds ?? 0])),
    surroundings,
  )
  try {
    await site.execute(run.id, progress.onEvent)
  } catch (error) {
    if (surroundings.stop.aborted) throw stopped(run.id)
    throw error
  } finally {
    progress.close()
  }
  if (surroundings.stop.aborted) throw stopped(run.id)
}

/** Gives the process's exit code; rejects with `interrupted` after Ctrl-C. */
export const executeAndReport = async (
  run: PlannedRun,
  site: LocalSite,
  output: Output,
): Promise<number> => {
  await executeRun(run, site, output.surroundings)
  return printReport(run.id, site.store, output)
}
