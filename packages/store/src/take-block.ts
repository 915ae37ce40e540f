/**
 * A worker takes a block. The same fingerprint as the block's last take goes on with that take's
 * rounds under a new token; any other starts a take of its own, from round 1. In both cases the
 * token before is worthless from then on, so that two hosts can never write to one block.
 */
import {
  type Fingerprint,
  fingerprintSchema,
  plannedBlockSchema,
  planSchema,
  primaryMetric,
  type TakenBlock,
} from '@assay/model'
import type { Context } from './context.ts'
import { blockNotFound, blockTerminal, runTerminal, takeHeld, takeStale } from './errors.ts'
import { record } from './events.ts'
import { requireRunRow } from './find-run.ts'
import { retireToken } from './held-take.ts'
import { parseColumn } from './json-column.ts'
import { roundsOfTake } from './read-rounds.ts'
import { isTerminal } from './settle-run.ts'
import type { BlockRow } from './tables/block.ts'
import type { TakeRow } from './tables/take.ts'

/** Who takes what. */
export interface TakeRequest {
  readonly runId: string
  readonly blockId: string
  /** New, and hard to guess: every write of this take must bring it. */
  readonly token: string
  readonly worker: string
  readonly fingerprint: Fingerprint
  /** How long the take holds without being renewed. */
  readonly leaseMillis: number
}

/** The row of a block, or `run-not-found` or `block-not-found`. */
export const requireBlock = (context: Context, runId: string, blockId: string): BlockRow => {
  const row = context.statements.block.byId.get(runId, blockId)
  if (row) return row
  requireRunRow(context, runId)
  throw blockNotFound(runId, blockId)
}

const requireFree = (context: Context, block: BlockRow, last: TakeRow | undefined): void => {
  const { runId, blockId, status } = block
  if (isTerminal(block.runStatus)) throw runTerminal(runId, block.runStatus)
  if (status === 'done' || status === 'dead') throw blockTerminal(runId, blockId, status)
  if (status === 'taken' && last && last.token !== null && last.leaseUntil > context.now()) {
    throw takeHeld({ runId, blockId, worker: last.worker, leaseUntil: last.leaseUntil })
  }
}

const requireNewToken = ({ statements }: Context, token: string): void => {
  if (statements.take.held.get(token) ?? statements.take.staleReason.get(token)) {
    throw takeStale(token, 'its token was used before')
  }
}

const hold = (
  context: Context,
  block: { readonly blockKey: number; readonly last: TakeRow | undefined },
  request: TakeRequest,
): void => {
  const { take } = context.statements
  const { blockKey, last } = block
  const { token, worker, fingerprint } = request
  const takenAt = context.now()
  const holder = { token, worker, takenAt, leaseUntil: takenAt + request.leaseMillis }
  if (last) retireToken(context, last.takeKey, `worker ${worker} took the block`)
  if (last?.fingerprintDigest === fingerprint.digest) {
    take.hold.run({ takeKey: last.takeKey, ...holder })
    return
  }
  take.insert.run({
    ...holder,
    blockKey,
    number: (last?.number ?? 0) + 1,
    fingerprint: JSON.stringify(fingerprint),
    fingerprintDigest: fingerprint.digest,
  })
}

const taken = (
  context: Context,
  block: BlockRow,
  { token, leaseMillis }: TakeRequest,
): TakenBlock => {
  const { statements } = context
  const { runId, blockId } = block
  const take = statements.take.last.one(block.blockKey)
  const planText = statements.run.plan.one(block.runKey).plan
  const { sampling, seed, verdict } = parseColumn(planSchema, planText, `plan of run ${runId}`)
  const blockText = statements.block.plan.one(block.blockKey).plan
  const { number, worker, savedRounds, savedWarmups, leaseUntil } = take
  const fingerprint = parseColumn(fingerprintSchema, take.fingerprint, 'fingerprint')
  return {
    take: {
      ...{ token, runId, blockId, number, worker, fingerprint },
      ...{ savedRounds, savedWarmups, leaseUntil },
    },
    leaseMillis,
    block: parseColumn(plannedBlockSchema, blockText, `block ${blockId} of run ${runId}`),
    sampling,
    seed,
    metric: verdict.metrics[0] ?? primaryMetric,
    rounds: roundsOfTake(context, take.takeKey),
  }
}

/**
 * Takes a block and freezes what is to be measured. A lease that ran out does not hinder. The same
 * token once more, while it is good, gives the same answer.
 * Errors: `run-not-found`, `block-not-found`, `run-terminal`, `block-terminal`, `take-held`,
 * `take-stale` for a token that was used before.
 */
export const takeBlock = (context: Context, request: TakeRequest): TakenBlock =>
  context.write(() => {
    const block = requireBlock(context, request.runId, request.blockId)
    const last = context.statements.take.last.get(block.blockKey)
    if (block.status === 'taken' && last?.token === request.token)
      return taken(context, block, request)
    requireFree(context, block, last)
    requireNewToken(context, request.token)
    hold(context, { blockKey: block.blockKey, last }, request)
    const { statements } = context
    statements.block.take.run(block.blockKey)
    statements.worker.seen.run(context.now(), request.worker)
    record(context, block.runKey, {
      ...{ type: 'block', blockId: block.blockId, status: 'taken', attempts: block.attempts + 1 },
      ...{ worker: request.worker, stopReason: null, reason: null },
    })
    return taken(context, block, request)
  })
