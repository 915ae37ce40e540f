/** Writes a run with its frozen plan: everything that will be measured is a row from the start. */
import { defaultPool, type Plan, type PlannedBlock, type Run } from '@assay/model'
import type { Context } from './context.ts'
import { campaignNotFound, runExists, runNameReserved, runNameTaken } from './errors.ts'
import { record } from './events.ts'
import { requireRunRow, runOf } from './find-run.ts'
import { insertGate, linkConfirmation, type NewGate } from './gates.ts'
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
    pool: block.pool ?? defaultPool,
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

/** What a client asked for, under a key that it made up: asking again must start nothing. */
export interface AskedOnce {
  readonly key: string
  /** Digest of the whole request. */
  readonly requestDigest: string
}

/** How long a client may ask again: twice the day that is promised. */
const askedMillis = 2 * 86_400_000

const keepAsked = ({ statements, now }: Context, runKey: number, asked: AskedOnce): void => {
  const askedAt = now()
  statements.label.forgetAsked.run(askedAt - askedMillis)
  statements.label.ask.run({ ...asked, runKey, askedAt })
}

/** The run that was started under a key of a client, and by which request; null if none was. */
export const findAsked = (
  { statements }: Context,
  key: string,
): { readonly runId: string; readonly requestDigest: string } | null =>
  statements.label.asked.get(key) ?? null

/** A run to be written with its plan. */
export interface NewRun {
  readonly run: Run
  readonly plan: Plan
  /** Absent: nobody will ask for this one again. */
  readonly asked?: AskedOnce
  /** Rules that it will be held against; absent: none. */
  readonly gate?: NewGate
  /** The run whose regressions this one measures again; absent: none. */
  readonly confirms?: string
}

/**
 * Inserts the run, its gate, its labels, its blocks and its cells. Unsupported cells are terminal at once, so are blocks
 * that have no other and runs that have no other block. Returns the run as stored.
 * Errors: `run-exists`, `run-name-taken`, `run-name-reserved`, `campaign-not-found`.
 */
export const createRun = (context: Context, request: NewRun): Run =>
  context.write(() => {
    const { run, plan, asked, gate, confirms } = request
    requireFree(context, run)
    const { id, name, campaign, campaignDigest, seed, status, reason, createdAt, priority } = run
    const { statements } = context
    const { runKey } = statements.run.insert.one({
      ...{ id, name, campaign, campaignDigest, seed, status, reason, createdAt, priority },
      plan: JSON.stringify({ ...plan, blocks: [] }),
    })
    for (const [key, value] of Object.entries(run.labels)) {
      statements.label.insert.run(runKey, key, value)
    }
    if (asked !== undefined) keepAsked(context, runKey, asked)
    if (gate !== undefined) insertGate(context, runKey, gate)
    if (confirms !== undefined) linkConfirmation(context, runKey, confirms)
    record(context, runKey, { type: 'run', status, reason })
    for (const [position, block] of plan.blocks.entries()) {
      insertBlock(context, runKey, { block, position })
    }
    settleRun(context, runKey)
    return runOf(requireRunRow(context, run.id))
  })
