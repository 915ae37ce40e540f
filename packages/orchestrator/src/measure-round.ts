/** One round: one fresh sample of every active cell, in the seeded order of that round. */
import type { MeasurableCell } from '@assay/bench'
import { roundOrder } from '@assay/campaign'
import { type Conditions, type Round, type Sample, type Sampling, seededRandom } from '@assay/model'

/** The most bytes by which the stack offset is varied; a page, beyond which it repeats. */
const mostStackPaddingBytes = 4096

/** Which round of which block. */
export interface RoundRequest {
  readonly seed: string
  readonly blockId: string
  readonly number: number
  readonly warmup: boolean
  /** All cells of the block, so that the order does not depend on which of them still run. */
  readonly cellIds: readonly string[]
  readonly active: ReadonlyMap<string, MeasurableCell>
  readonly sampling: Sampling
  readonly readConditions: () => Conditions
  /** Rejects when measuring is to stop. */
  readonly checkStopped: () => void
}

/** Measures one round; rejects, with nothing kept, if it was stopped on the way. */
export const measureRound = async (request: RoundRequest): Promise<Round> => {
  const { seed, blockId, number, warmup } = request
  const conditions = request.readConditions()
  const samples: Sample[] = []
  const order = roundOrder({ seed, blockId, round: number, warmup, cellIds: request.cellIds })
  for (const [position, cellId] of order.entries()) {
    const cell = request.active.get(cellId)
    if (cell === undefined) continue
    request.checkStopped()
    const place = `${seed}/${blockId}/${warmup ? 'warmup' : 'round'}/${number}/${cellId}`
    const measurement = await cell.measure({
      round: number,
      warmup,
      stackPaddingBytes: Math.floor(seededRandom(place)() * mostStackPaddingBytes),
      timeoutSeconds: request.sampling.timeoutSeconds,
      cache: request.sampling.cache,
    })
    request.checkStopped()
    samples.push({ cellId, position, ...measurement })
  }
  return { number, warmup, conditions, samples }
}
