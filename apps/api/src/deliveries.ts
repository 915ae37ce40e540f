/**
 * What workers hold over HTTP: deliveries of the queue, and the blocks that they took. A worker says
 * nothing to the queue: its delivery ends when its block is finished, and goes back when its block
 * is released. What a server that died held is delivered again by the queue, and a second delivery
 * is refused by the take.
 */
import type { Delivery } from '@assay/queue'

/** A block as a delivery names it. */
export interface Block {
  readonly runId: string
  readonly blockId: string
}

/** Who took a block, and under which token. */
export interface Holder {
  readonly worker: string
  readonly token: string
}

export interface Deliveries {
  /** A worker is told of a block. */
  hold(delivery: Delivery): void
  /** The block was taken. */
  taken(block: Block, holder: Holder): void
  /** The take was refused: the delivery has nothing more to say. */
  refused(block: Block): Promise<void>
  /** The block has ended. */
  done(block: Block): Promise<void>
  /** The block is to be delivered again. */
  giveBack(block: Block): Promise<void>
  /** The run was cancelled: its blocks are nobody's business any more. */
  forgetRun(runId: string): void
  /** Tokens of the blocks that a worker took and has not ended. */
  tokensOf(worker: string): readonly string[]
  /**
   * Every block that a dead worker took, or that nobody took yet and it may have been told of, is to
   * be delivered again. Another that was told of one is refused or refuses; no harm is done.
   */
  giveBackOf(worker: string): Promise<void>
}

const keyOf = ({ runId, blockId }: Block): string => `${runId}/${blockId}`

/** No deliveries yet. */
export const openDeliveries = (): Deliveries => {
  const deliveries = new Map<string, Delivery>()
  const holders = new Map<string, Holder>()
  const end = (key: string): Delivery | undefined => {
    const delivery = deliveries.get(key)
    deliveries.delete(key)
    return delivery
  }
  return {
    hold: (delivery) => void deliveries.set(keyOf(delivery), delivery),
    taken: (block, holder) => void holders.set(keyOf(block), holder),
    refused: async (block) => end(keyOf(block))?.done(),
    async done(block) {
      holders.delete(keyOf(block))
      await end(keyOf(block))?.done()
    },
    async giveBack(block) {
      holders.delete(keyOf(block))
      await end(keyOf(block))?.giveBack()
    },
    forgetRun(runId) {
      const ofRun = (key: string): boolean => key.startsWith(`${runId}/`)
      for (const key of [...holders.keys()].filter(ofRun)) holders.delete(key)
      for (const key of [...deliveries.keys()].filter(ofRun)) deliveries.delete(key)
    },
    tokensOf: (worker) =>
      [...holders.values()].filter((holder) => holder.worker === worker).map(({ token }) => token),
    async giveBackOf(worker) {
      for (const [key, holder] of [...holders]) if (holder.worker === worker) holders.delete(key)
      const untaken = [...deliveries.keys()].filter((key) => !holders.has(key))
      for (const key of untaken) await end(key)?.giveBack()
    },
  }
}
