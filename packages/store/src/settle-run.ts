/**
 * How a run ends. By itself: once every block is terminal it is complete, or failed if everything
 * that could be measured failed. Early: cancelled or failed by decree, and all that is open with it.
 */
import type { Run, RunStatus } from '@assay/model'
import type { Context } from './context.ts'
import { runTerminal } from './errors.ts'
import { record } from './events.ts'
import { requireRunRow, runOf } from './find-run.ts'

const terminal: ReadonlySet<RunStatus> = new Set(['complete', 'failed', 'cancelled'])

/** Whether a status never changes again. */
export const isTerminal = (status: RunStatus): boolean => terminal.has(status)

type RunEnd = { readonly status: RunStatus; readonly reason: string | null }

const end = (context: Context, runKey: number, { status, reason }: RunEnd): void => {
  context.statements.run.setStatus.run({ runKey, status, reason, at: context.now() })
  record(context, runKey, { type: 'run', status, reason })
}

/** Ends the run if its last block has ended. */
export const settleRun = (context: Context, runKey: number): void => {
  const { block, cell } = context.statements
  const count = (status: 'measured' | 'failed'): number => cell.count.one(runKey, status).count
  if (block.openCount.one(runKey).count > 0) return
  if (count('measured') > 0 || count('failed') === 0) {
    end(context, runKey, { status: 'complete', reason: null })
    return
  }
  const first = cell.firstFailure.one(runKey)
  const reason = `no cell could be measured; ${first.cellId}: ${first.reason ?? 'no reason given'}`
  end(context, runKey, { status: 'failed', reason })
}

/** Ends the run with all that is open in it: cells are skipped, blocks dead, tokens worthless. */
const endEarly = (context: Context, runKey: number, early: RunEnd): void => {
  const { block, cell } = context.statements
  const reason = early.reason ?? `the run was ${early.status} before this was measured`
  cell.skipOfRun.run(reason, runKey)
  block.killOfRun.run(reason, runKey)
  end(context, runKey, early)
}

/**
 * Moves a run on. A terminal status also ends what is open in it. Errors: `run-not-found`,
 * `run-terminal` (also for the status it already has, once that is terminal).
 */
export const setRunStatus = (context: Context, id: string, wanted: RunEnd): Run =>
  context.write(() => {
    const row = requireRunRow(context, id)
    if (isTerminal(row.status)) throw runTerminal(id, row.status)
    if (isTerminal(wanted.status)) endEarly(context, row.runKey, wanted)
    else {
      context.statements.run.setStatus.run({ runKey: row.runKey, ...wanted, at: null })
      record(context, row.runKey, { type: 'run', ...wanted })
    }
    return runOf(requireRunRow(context, id))
  })

/**
 * Cancels a run; once cancelled, again is fine. Errors: `run-not-found`, `run-terminal` for a run
 * that is complete or failed.
 */
export const cancelRun = (context: Context, id: string): Run =>
  context.write(() => {
    const row = requireRunRow(context, id)
    if (row.status === 'cancelled') return runOf(row)
    return setRunStatus(context, id, { status: 'cancelled', reason: null })
  })
