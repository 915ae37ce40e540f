/** Blocks, takes and cells as they are shown to people. */
import {
  type BlockResponse,
  fingerprintSchema,
  type PlannedCell,
  plannedBlockSchema,
  type TakeState,
} from '@assay/model'
import type { Context } from './context.ts'
import { cellNotFound } from './errors.ts'
import { requireRunRow } from './find-run.ts'
import { parseColumn } from './json-column.ts'
import type { BlockRow, FailureRow } from './tables/block.ts'
import type { TakeRow } from './tables/take.ts'
import { requireBlock } from './take-block.ts'

const heldTake = (block: BlockRow, take: TakeRow | undefined): BlockResponse['take'] => {
  if (take === undefined) return null
  const { number, worker, fingerprintDigest, savedRounds, takenAt, leaseUntil } = take
  const isHeld = block.status === 'taken' && take.token !== null
  return {
    ...{ number, worker, fingerprint: fingerprintDigest, savedRounds, takenAt },
    leaseUntil: isHeld ? leaseUntil : null,
  }
}

const blockFrom = (
  { statements }: Context,
  block: BlockRow,
  failures: readonly FailureRow[],
): BlockResponse => {
  const { blockKey, blockId, position, pool, status, stopReason, reason, attempts } = block
  const { plan } = statements.block.plan.one(blockKey)
  const { headings } = parseColumn(plannedBlockSchema, plan, `block ${blockId}`)
  return {
    ...{ blockId, position, headings, pool, status, stopReason, reason, attempts },
    take: heldTake(block, statements.take.last.get(blockKey)),
    failures: failures
      .filter((failure) => failure.blockId === blockId)
      .map(({ cellId, reason: why, stderr }) => ({ cellId, reason: why, stderr })),
  }
}

/** The blocks of a run, in the order of its plan. Errors: `run-not-found`. */
export const blocksOfRun = (context: Context, runId: string): readonly BlockResponse[] =>
  context.read(() => {
    const { runKey } = requireRunRow(context, runId)
    const { block } = context.statements
    const failures = block.failuresOfRun.all(runKey)
    return block.ofRun.all(runKey).map((row) => blockFrom(context, row, failures))
  })

/** One block. Errors: `run-not-found`, `block-not-found`. */
export const blockOfRun = (context: Context, runId: string, blockId: string): BlockResponse =>
  context.read(() => {
    const row = requireBlock(context, runId, blockId)
    return blockFrom(context, row, context.statements.block.failuresOfRun.all(row.runKey))
  })

/** The takes of a block with all who held them, from the first. Errors: as `blockOfRun`. */
export const takesOfBlock = (
  context: Context,
  runId: string,
  blockId: string,
): readonly TakeState[] =>
  context.read(() => {
    const { blockKey } = requireBlock(context, runId, blockId)
    const { take } = context.statements
    const past = take.pastHolders.all(blockKey)
    const takes = take.ofBlock.all(blockKey)
    return takes.map((row) => {
      const { takeKey, number, savedRounds, savedWarmups, worker, takenAt } = row
      const ended = past
        .filter((holder) => holder.takeKey === takeKey)
        .map(({ takeKey: _, ...attempt }) => attempt)
      const last = { worker, takenAt, endedAt: null, reason: null }
      return {
        ...{ number, savedRounds, savedWarmups, judged: number === takes.length },
        fingerprint: parseColumn(fingerprintSchema, row.fingerprint, 'fingerprint'),
        attempts: row.token === null ? ended : [...ended, last],
      }
    })
  })

/** What was planned for a cell. Errors: `run-not-found`, `cell-not-found`. */
export const plannedCellOf = (
  context: Context,
  runId: string,
  cellId: string,
): { readonly headings: Readonly<Record<string, string>>; readonly planned: PlannedCell } =>
  context.read(() => {
    const { runKey } = requireRunRow(context, runId)
    const { statements } = context
    const key = statements.cell.keyOf.get(runKey, cellId)
    if (!key) throw cellNotFound(runId, cellId)
    const { plan } = statements.block.plan.one(key.blockKey)
    const { headings, cells } = parseColumn(plannedBlockSchema, plan, `block of run ${runId}`)
    const planned = cells.find(({ id }) => id === cellId)
    if (!planned) throw cellNotFound(runId, cellId)
    return { headings, planned }
  })
