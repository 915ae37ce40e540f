/**
 * Use-cases: pause a pool, resume it, and drain it. The store remembers what is paused; the queue is
 * told, and told again by `reconcile` should it forget.
 */
import type { PoolState } from '@assay/model'
import type { StartRunSite } from './start-run.ts'

type PoolSite = Pick<StartRunSite, 'store' | 'courier'>

const stateOf = (pool: string, { store }: PoolSite): PoolState =>
  store.pools.list().find((one) => one.pool === pool) ?? {
    ...{ pool, waiting: 0, measuring: 0, paused: false, workers: 0 },
  }

/** Nothing of the pool is handed out any more; what is being measured goes on. */
export const pausePool = async (pool: string, site: PoolSite): Promise<PoolState> => {
  site.store.jobs.pause(pool)
  await site.courier.pause(pool)
  return stateOf(pool, site)
}

/** The pool hands out again. */
export const resumePool = async (pool: string, site: PoolSite): Promise<PoolState> => {
  site.store.jobs.resume(pool)
  await site.courier.resume(pool)
  return stateOf(pool, site)
}

/** Resolves once nothing of the pool is measured, or `over` aborts. */
const quiet = (pool: string, site: PoolSite, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const isOver = (): boolean => over.aborted || stateOf(pool, site).measuring === 0
    if (isOver()) return resolve()
    const look = (): void => {
      if (!isOver()) return
      stop()
      over.removeEventListener('abort', look)
      resolve()
    }
    const stop = site.store.events.onChange(look)
    over.addEventListener('abort', look)
  })

/** Pauses the pool and waits, until `over` aborts at the latest, for what is being measured. */
export const drainPool = async (
  pool: string,
  site: PoolSite,
  over: AbortSignal,
): Promise<PoolState & { readonly drained: boolean }> => {
  await pausePool(pool, site)
  await quiet(pool, site, over)
  const state = stateOf(pool, site)
  return { ...state, drained: state.measuring === 0 }
}
