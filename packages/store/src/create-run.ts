/** Writes a run with its frozen plan: everything that will be measured is a row from the start. */
import type { Plan, PlannedBlock, Run } from '@assay/model'
import type { Context } from './context.ts'
import { campaignNotFound, runExists, runNameReserved, runNameTaken } from './errors.ts'
import { requireRunRow, runOf } from './find-run.ts'
import { settleRun } from './settle-run.ts'

const requireFree = ({ statements }: Context, run: Run): void => {
  if (statements.run.byId.get(run.id)) throw runExists(run.id)
  if (!statements.campaign.has.get(run.campaignDigest, run.campaign)) {
    throw campaignNotFound(run.campaignDigest, run.campaign)
  }
  if (run.name === null) return
  if (run.name === '' || run.name === 'latest' || run.name.startsWith('@')) {
    throw runNameReserved(run.name)
  }
  const namesake = statements.run.byName.get(run.name)
  if (namesake) throw runNameTaken(run.name, namesake.id)
}

const insertBlock = (
  { statements }: Context,
  runKey: number,
  planned: { readonly block: PlannedBlock; readonly position: number },
): void => {
  const { block, position } = planned
  const nothingToMeasure = block.cells.every((cell) => cell.unsupported !== null)
  const { blockKey } = statements.block.insert.one({
    runKey,
    id: block.id,
    position,
    status: nothingToMeasure ? 'done' : 'queued',
    stopReason: nothingToMeasure ? 'unsupported' : null,
    plan: JSON.stringify(block),
  })
  for (const [cellPosition, cell] of block.cells.entries()) {
    statements.cell.insert.run({
      runKey,
      blockKey,
      id: cell.id,
      position: cellPosition,
      label: cell.label,
      status: cell.unsupported === null ? 'queued' : 'unsupported',
      reason: cell.unsupported,
    })
  }
}

/**
 * Inserts the run, its blocks and its cells. Unsupported cells are terminal at once, so are blocks
 * that have no other and runs that have no other block. Returns the run as stored.
 * Errors: `run-exists`, `run-name-taken`, `run-name-reserved`, `campaign-not-found`.
 */
export const createRun = (context: Context, run: Run, plan: Plan): Run =>
  context.write(() => {
    requireFree(context, run)
    const { id, name, campaign, campaignDigest, seed, status, reason, createdAt } = run
    const { runKey } = context.statements.run.insert.one({
      ...{ id, name, campaign, campaignDigest, seed, status, reason, createdAt },
      plan: JSON.stringify({ ...plan, blocks: [] }),
    })
    for (const [position, block] of plan.blocks.entries()) {
      insertBlock(context, runKey, { block, position })
    }
    settleRun(context, runKey)
    return runOf(requireRunRow(context, run.id))
  })
