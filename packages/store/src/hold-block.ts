/** While a block is taken: its lease is renewed, or it goes back to the queue. */
import type { Context } from './context.ts'
import { runTerminal } from './errors.ts'
import { requireRunRow } from './find-run.ts'
import { requireKnown, requireLive, retireToken } from './held-take.ts'
import { isTerminal } from './settle-run.ts'
import type { QueuedBlock } from './tables/block.ts'

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
    if (known.runStatus === 'cancelled') return { leaseUntil: known.leaseUntil, cancelled: true }
    const { takeKey } = requireLive(context, request.token)
    const leaseUntil = context.now() + request.leaseMillis
    context.statements.take.renew.run(leaseUntil, takeKey)
    return { leaseUntil, cancelled: false }
  })

type Held = { readonly takeKey: number; readonly blockKey: number }

const requeue = (context: Context, held: Held, reason: string): void => {
  retireToken(context, held.takeKey, reason)
  context.statements.block.requeue.run(held.blockKey)
}

/** A worker that ends in good order gives its block back. Errors: `take-stale`. */
export const releaseTake = (context: Context, token: string): void =>
  context.write(() => requeue(context, requireLive(context, token), 'its worker gave it back'))

/** Queues every block again whose lease has run out. Returns how many. */
export const requeueExpired = (context: Context): number =>
  context.write(() => {
    const expired = context.statements.take.expired.all(context.now())
    for (const held of expired) requeue(context, held, 'its lease ran out')
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
      requeue(context, held, 'the run was resumed')
    }
    return context.statements.block.queuedOfRun.all(run.runKey)
  })
