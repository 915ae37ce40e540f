/** Use-case: take block after block from the queue and execute them, until told to stop. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError } from '@assay/model'
import type { Courier } from '@assay/queue'
import { isOfBlock } from './errors.ts'
import type { Listener } from './events.ts'
import { executeBlock, type WorkSite } from './execute-block.ts'

/** What decides when to stop. */
export interface WorkOptions {
  readonly pool: string
  /** Stops between samples. */
  readonly stop: AbortSignal
  /** Takes no further block, and ends the one in hand after its round; absent: only `stop` does. */
  readonly drain?: AbortSignal
  /** Asked before each block; false ends the work. */
  readonly goOn: () => boolean
  /** How long to wait for a block before `goOn` is asked again. */
  readonly waitMillis: number
}

/**
 * How often a block is tried without a round that was saved: a launcher killed once is bad luck, three
 * times in a row it is the block.
 */
const mostTries = 3

/** How long after a failed try the next comes, times the tries so far. */
const pauseMillis = 1_000

/** What a take answers when the block is nobody's business here. */
const refusals: ReadonlySet<string> = new Set(['take-held', 'block-terminal', 'run-terminal'])

/** Whether the block is over for this worker: held by another, ended, or its run was cancelled. */
const isOver = (error: unknown): boolean =>
  error instanceof AssayError && (error.kind === 'gone' || refusals.has(error.code))

const isHostBusy = (error: unknown): boolean =>
  error instanceof AssayError && error.code === 'host-busy'

/**
 * Works until `goOn` says no, `stop` aborts, or `drain` does. A block that was taken by another or given up on the
 * way is left to the queue; one that cannot be measured is tried again, and fails at last; an error
 * that is not about one block ends the work.
 */
export const work = async (
  courier: Courier,
  site: WorkSite,
  { pool, stop, drain = stop, goOn, waitMillis }: WorkOptions,
): Promise<void> => {
  const failures = new Map<string, number>()
  const noFurther = AbortSignal.any([stop, drain])
  while (!noFurther.aborted && goOn()) {
    const delivery = await courier.next({ pool, waitMillis, signal: noFurther })
    if (delivery === null) continue
    const { runId, blockId } = delivery
    const key = `${runId}/${blockId}`
    const tries = (failures.get(key) ?? 0) + 1
    let isAhead = false
    const onEvent: Listener = (event) => {
      if (event.type === 'round-saved') isAhead = true
      site.onEvent(event)
    }
    const isLastTry = (): boolean => !isAhead && tries >= mostTries
    try {
      await executeBlock({ runId, blockId }, { ...site, drain, isLastTry, onEvent }, stop)
      failures.delete(key)
      await delivery.done()
    } catch (error) {
      if (isOver(error) && !noFurther.aborted) await delivery.done()
      else await delivery.giveBack()
      if (isOver(error) || isHostBusy(error)) continue
      if (drain.aborted && !stop.aborted) return
      if (stop.aborted || !isOfBlock(error)) throw error
      const failed = isAhead ? 1 : tries
      failures.set(key, failed)
      await sleep(pauseMillis * failed, undefined, { signal: noFurther }).catch(() => undefined)
    }
  }
}
