/** A worker ends its block: how each cell ended, and why the rounds stopped. */
import type { FinishBlockRequest, RunStatus } from '@assay/model'
import type { Context } from './context.ts'
import { finishForeignCell, finishIncomplete } from './errors.ts'
import { record } from './events.ts'
import { requireRunRow } from './find-run.ts'
import { requireKnown, requireLive } from './held-take.ts'
import { settleRun } from './settle-run.ts'
import type { HeldRow } from './tables/take.ts'

const endCells = (context: Context, held: HeldRow, request: FinishBlockRequest): void => {
  const { cell } = context.statements
  const cells = new Map(cell.ofBlock.all(held.blockKey).map((row) => [row.cellId, row]))
  for (const { cellId, status, reason, cleanupFault = null } of request.cells) {
    const row = cells.get(cellId)
    if (!row) throw finishForeignCell(held.blockId, cellId)
    cell.setStatus.run({ cellKey: row.cellKey, status, reason, cleanupFault })
    if (row.status !== 'queued' && row.status !== 'running') continue
    record(context, held.runKey, { type: 'cell', blockId: held.blockId, cellId, status, reason })
  }
  const open = cell.ofBlock
    .all(held.blockKey)
    .filter((row) => row.status === 'queued' || row.status === 'running')
    .map((row) => row.cellId)
  if (open.length > 0) throw finishIncomplete(held.blockId, open)
}

/**
 * Ends a block, and with its last block the run. The same token once more changes nothing. Cells
 * that were terminal before, as unsupported ones are, may be named or not: they stay as they are.
 * Returns the run's status afterwards. Errors: `take-stale`, `finish-foreign-cell`,
 * `finish-incomplete`.
 */
export const finishBlock = (context: Context, request: FinishBlockRequest): RunStatus =>
  context.write(() => {
    const known = requireKnown(context, request.token)
    if (known.blockStatus === 'done') return known.runStatus
    const held = requireLive(context, request.token)
    endCells(context, held, request)
    const { stopReason } = request
    context.statements.block.finish.run(stopReason, held.blockKey)
    const { blockId, attempts, worker } = held
    const ended = { type: 'block', blockId, status: 'done', attempts, worker } as const
    record(context, held.runKey, { ...ended, stopReason, reason: null })
    settleRun(context, held.runKey)
    return requireRunRow(context, held.runId).status
  })
