/** The order of a block's cells inside one round. */
import { seededRandom, shuffled } from '@assay/model'

/** What is put in order, and what the order is a function of: a resumed block meets it again. */
export interface RoundOrderRequest {
  /** The run's seed. */
  readonly seed: string
  readonly blockId: string
  /** From 1; warmups count for themselves. */
  readonly round: number
  readonly warmup: boolean
  readonly cellIds: readonly string[]
}

/** The cells in the random order of that round, whatever the order they are given in. */
export const roundOrder = (request: RoundOrderRequest): readonly string[] => {
  const { seed, blockId, round, warmup, cellIds } = request
  const random = seededRandom(JSON.stringify([seed, blockId, warmup ? 'warmup' : 'round', round]))
  return shuffled([...cellIds].sort(), random)
}
