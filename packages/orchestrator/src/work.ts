/** Use-case: take block after block from the queue and execute them, until told to stop. */
import { AssayError } from '@assay/model'
import type { Courier } from '@assay/queue'
import { executeBlock, type WorkSite } from './execute-block.ts'

/** What decides when to stop. */
export interface WorkOptions {
  readonly pool: string
  /** Stops between samples. */
  readonly stop: AbortSignal
  /** Asked before each block; false ends the work. */
  readonly goOn: () => boolean
  /** How long to wait for a block before `goOn` is asked again. */
  readonly waitMillis: number
}

/**
 * Works until `goOn` says no or `stop` aborts. A block that was taken by another or given up on the
 * way is left to the queue; an error that is not about one block ends the work.
 */
export const work = async (
  courier: Courier,
  site: WorkSite,
  { pool, stop, goOn, waitMillis }: WorkOptions,
): Promise<void> => {
  while (!stop.aborted && goOn()) {
    const delivery = await courier.next({ pool, waitMillis, signal: stop })
    if (delivery === null) continue
    const { runId, blockId } = delivery
    try {
      await executeBlock({ runId, blockId }, site, stop)
      await delivery.done()
    } catch (error) {
      const passing = error instanceof AssayError && ['gone', 'conflict'].includes(error.kind)
      if (passing && !stop.aborted) await delivery.done()
      else await delivery.giveBack()
      if (!passing) throw error
    }
  }
}
