/** While a block is taken: its lease is renewed, or it goes back to the queue. */
import type { Context } from './context.ts'
import { runTerminal } from './errors.ts'
import { record } from './events.ts'
import { requireRunRow } from './find-run.ts'
import { requireKnown, requireLive, retireToken } from './held-take.ts'
import { isTerminal, settleRun } from './settle-run.ts'
import type { QueuedBlock } from './tables/block.ts'
import type { LosableRow } from './tables/take.ts'

/**
 * How often in a row a block may be lost, by workers that die or faults that they report, without
 * one round being saved: a host that was switched off is bad luck, five of them it is the block.
 */
const mostLosses = 5

/** What a renewal answers. */
export interface Renewal {
  readonly leaseUntil: number
  /** Whether the run was cancelled: then the take is over, and nothing was renewed. */
  readonly cancelled: boolean
}

/** Prolongs a lease, from now. Errors: `take-stale`. */
export const renewTake = (
  context: Context,
  request: { readonly token: string; readonly leaseMillis: number },
): Renewal =>
  context.write(() => {
    const known = requireKnown(context, request.token)
    context.statements.worker.seen.run(context.now(), known.worker)
    if (known.runStatus === 'cancelled') return { leaseUntil: known.leaseUntil, cancelled: true }
    const { takeKey } = requireLive(context, request.token)
    const leaseUntil = context.now() + request.leaseMillis
    context.statements.take.renew.run(leaseUntil, takeKey)
    return { leaseUntil, cancelled: false }
  })

const tell = (
  context: Context,
  { runKey, blockId, attempts, worker }: LosableRow,
  now: { readonly status: 'queued' | 'dead'; readonly reason: string },
): void =>
  record(context, runKey, { type: 'block', blockId, attempts, worker, stopReason: null, ...now })

const requeue = (context: Context, held: LosableRow, reason: string, losses: number): void => {
  retireToken(context, held.takeKey, reason)
  context.statements.block.requeue.run({ blockKey: held.blockKey, losses })
  tell(context, held, { status: 'queued', reason })
}

/** Gives a block up: its open cells failed, and with the last block the run ends. */
const kill = (context: Context, held: LosableRow, reason: string): void => {
  const { block, cell } = context.statements
  const { blockKey, runKey, blockId } = held
  retireToken(context, held.takeKey, reason)
  block.kill.run(reason, blockKey)
  cell.failOfBlock.run(reason, blockKey)
  tell(context, held, { status: 'dead', reason })
  for (const { cellId, status, reason: why } of cell.ofBlock.all(blockKey)) {
    if (status === 'failed') {
      record(context, runKey, { type: 'cell', blockId, cellId, status, reason: why })
    }
  }
  settleRun(context, runKey)
}

/** An attempt ended badly: the block is queued again, or given up if that came too often in a row. */
const lose = (context: Context, held: LosableRow, reason: string): void => {
  const losses = held.savedRounds > held.roundsAtStart ? 1 : held.losses + 1
  if (losses < mostLosses) requeue(context, held, reason, losses)
  else kill(context, held, `${losses} attempts in a row saved no round; the last: ${reason}`)
}

/**
 * A worker gives its block back: in good order if no reason is given, else because of a fault that
 * counts as a lost attempt. Errors: `take-stale`.
 */
export const releaseTake = (
  context: Context,
  { token, reason }: { readonly token: string; readonly reason?: string },
): void =>
  context.write(() => {
    const { takeKey } = requireLive(context, token)
    const held = context.statements.take.losable.one(takeKey)
    if (reason === undefined) requeue(context, held, 'its worker gave it back', held.losses)
    else lose(context, held, reason)
  })

/** Queues every block again whose lease has run out, or gives it up. Returns how many. */
export const requeueExpired = (context: Context): number =>
  context.write(() => {
    const expired = context.statements.take.expired.all(context.now())
    for (const held of expired) lose(context, held, 'its lease ran out')
    return expired.length
  })

/**
 * Resumes a run whose workers are all gone: every taken block is queued again. Only for a caller
 * that knows they are gone, such as a process that was itself the only worker. Returns all queued
 * blocks of the run. Errors: `run-not-found`, `run-terminal`.
 */
export const requeueAll = (context: Context, runId: string): readonly QueuedBlock[] =>
  context.write(() => {
    const run = requireRunRow(context, runId)
    if (isTerminal(run.status)) throw runTerminal(runId, run.status)
    for (const held of context.statements.take.heldOfRun.all(run.runKey)) {
      requeue(context, held, 'the run was resumed', held.losses)
    }
    return context.statements.block.queuedOfRun.all(run.runKey)
  })
