/**
 * The port through which a worker writes: into the store of the same process, or over HTTP. Every
 * call after `take` carries the token; a stale token rejects with code `take-stale`.
 */
import type { Fingerprint, FinishBlockRequest, PutRoundRequest, TakenBlock } from '@assay/model'

/** A block as the queue names it. */
export interface BlockReference {
  readonly runId: string
  readonly blockId: string
}

export interface Sink {
  /** Takes the block: freezes what is to be measured and hands out the token. */
  take(block: BlockReference, by: Taker): Promise<TakenBlock>
  /** Keeps the lease; says whether the run was cancelled meanwhile. */
  renew(token: string): Promise<{ readonly cancelled: boolean }>
  /** Saves one round; the same round with the same digest again is fine. */
  putRound(block: BlockReference, request: PutRoundRequest): Promise<void>
  /** Ends the block. */
  finish(block: BlockReference, request: FinishBlockRequest): Promise<void>
  /** Gives the block back unfinished; a reason says that a fault made it so: a lost attempt. */
  release(
    block: BlockReference,
    request: { readonly token: string; readonly reason?: string },
  ): Promise<void>
}

/** Who takes a block, and on what host. */
export interface Taker {
  readonly worker: string
  readonly fingerprint: Fingerprint
}
