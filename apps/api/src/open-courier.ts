/**
 * The queue of this server: in its store, or in a Redis that was named. Where Redis fails, the
 * server goes on: what it could not add is added again by the next reconciliation, and what it could
 * not remove or end is refused when it is taken.
 */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { AssayError, type BlockStatus } from '@assay/model'
import {
  type BlockNames,
  type Courier,
  type Delivery,
  openBullmqCourier,
  openEmbeddedCourier,
} from '@assay/queue'
import type { Store } from '@assay/store'
import type { Logger } from 'pino'
import type { ApiConfig } from './config.ts'

/** Two stores on one Redis keep their jobs apart. */
const prefixOf = (db: string): string => {
  const digest = createHash('sha256')
    .update(`${hostname()}:${resolve(db)}`)
    .digest('hex')
  return `assay-${digest.slice(0, 12)}`
}

const outages: ReadonlySet<string> = new Set(['queue-unreachable', 'queue-refused'])

/** Waits for a change of the queue; that it failed in Redis is logged, and left to the store. */
const orLeave = async (change: Promise<void>, log: Logger): Promise<void> => {
  try {
    await change
  } catch (error) {
    if (!(error instanceof AssayError && outages.has(error.code))) throw error
    log.warn({ code: error.code }, 'a change of the queue failed; the store will have it made good')
  }
}

const forgivingDelivery = (delivery: Delivery, log: Logger): Delivery => ({
  ...delivery,
  done: () => orLeave(delivery.done(), log),
  giveBack: () => orLeave(delivery.giveBack(), log),
})

/** How a block stands; null if the store does not know it: the queue is older than the store. */
const statusOf = (store: Store, { runId, blockId }: BlockNames): BlockStatus | null => {
  try {
    return store.blocks.get(runId, blockId).status
  } catch (error) {
    if (error instanceof AssayError && error.kind === 'not-found') return null
    throw error
  }
}

const forgiving = (courier: Courier, store: Store, log: Logger): Courier => ({
  ...courier,
  add: (jobs) => orLeave(courier.add(jobs), log),
  remove: (runId) => orLeave(courier.remove(runId), log),
  async next(request) {
    const delivery = await courier.next(request)
    if (delivery === null) return null
    const forgiven = forgivingDelivery(delivery, log)
    if (statusOf(store, delivery) !== null) return forgiven
    await forgiven.done()
    return null
  },
})

/** Opens it. Errors: those of `openBullmqCourier` if a Redis is named. */
export const openCourier = async (
  { redis, db, 'lease-millis': leaseMillis }: Pick<ApiConfig, 'redis' | 'db' | 'lease-millis'>,
  store: Store,
  log: Logger,
): Promise<Courier> => {
  // A delivery must count as lost before its block comes free, or that could not be added again.
  if (redis === undefined) {
    return openEmbeddedCourier({ store, leaseMillis: Math.ceil(0.75 * leaseMillis) })
  }
  const courier = await openBullmqCourier({
    url: redis,
    prefix: prefixOf(db),
    leaseMillis: Math.ceil(leaseMillis / 2),
    isHeld: (block) => statusOf(store, block) === 'taken',
    onTrouble: (trouble) => log.warn({ code: trouble.code }, trouble.message),
  })
  const forgivingCourier = forgiving(courier, store, log)
  // What a former server of this store had delivered would be locked a while longer; all that is
  // to be measured is added from the store.
  for (const { id } of store.runs.openRuns()) await forgivingCourier.remove(id)
  return forgivingCourier
}
