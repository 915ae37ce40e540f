/**
 * Deliveries of the queue that workers hold over HTTP. A worker says nothing to the queue: its
 * delivery ends when its block is finished, and goes back when its block is released. What a server
 * that died held is delivered again by the queue, and a second delivery is refused by the take.
 */
import type { Delivery } from '@assay/queue'

/** A block as a delivery names it. */
interface Block {
  readonly runId: string
  readonly blockId: string
}

export interface Deliveries {
  hold(delivery: Delivery): void
  /** The block has ended. */
  done(block: Block): Promise<void>
  /** The block is to be delivered again. */
  giveBack(block: Block): Promise<void>
}

const keyOf = ({ runId, blockId }: Block): string => `${runId}/${blockId}`

/** No deliveries yet. */
export const openDeliveries = (): Deliveries => {
  const held = new Map<string, Delivery>()
  const take = (block: Block): Delivery | undefined => {
    const delivery = held.get(keyOf(block))
    held.delete(keyOf(block))
    return delivery
  }
  return {
    hold: (delivery) => void held.set(keyOf(delivery), delivery),
    done: async (block) => take(block)?.done(),
    giveBack: async (block) => take(block)?.giveBack(),
  }
}
