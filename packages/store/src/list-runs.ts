/** Runs with their progress, newest first. */
import type { Run, RunProgress, RunStatus } from '@assay/model'
import type { Context } from './context.ts'
import { cursorOf, keyOf, type PageRequest } from './cursor.ts'
import { runNotFound } from './errors.ts'
import { requireRunRow, runOf } from './find-run.ts'
import type { ProgressRow } from './tables/run.ts'

/** One page of runs. */
export interface RunPage {
  readonly runs: readonly RunProgress[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

const progressFrom = (row: ProgressRow): RunProgress => ({
  ...runOf(row),
  blocks: { total: row.blocksTotal, finished: row.blocksFinished },
  cells: {
    total: row.cellsTotal,
    measured: row.cellsMeasured,
    failed: row.cellsFailed,
    unsupported: row.cellsUnsupported,
  },
  samples: row.samples,
})

/** Which runs are listed: those that have all of what is given. */
export interface RunFilter {
  readonly status?: RunStatus
  /** The campaign's name. */
  readonly campaign?: string
  readonly label?: { readonly key: string; readonly value: string }
}

/** Newest first. Errors: `bad-cursor`. */
export const listRuns = (
  { statements }: Context,
  { limit, cursor, status, campaign, label }: PageRequest & RunFilter,
): RunPage => {
  const [before = 0] = cursor === null ? [Number.MAX_SAFE_INTEGER] : keyOf(cursor, 1)
  const rows = statements.run.page.all({
    ...{ before, limit: limit + 1, status: status ?? null, campaign: campaign ?? null },
    ...{ labelKey: label?.key ?? null, labelValue: label?.value ?? null },
  })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    runs: shown.map(progressFrom),
    nextCursor: last === undefined ? null : cursorOf([last.runKey]),
  }
}

/** How far a run is; its samples are those of all takes, warmups apart. Errors: `run-not-found`. */
export const runProgress = (context: Context, id: string): RunProgress =>
  context.read(() => {
    const row = context.statements.run.progress.get(requireRunRow(context, id).runKey)
    if (!row) throw runNotFound(id)
    return progressFrom(row)
  })

/** Runs that are planned or running, oldest first. */
export const openRuns = ({ statements }: Context): readonly Run[] =>
  statements.run.open.all().map(runOf)
