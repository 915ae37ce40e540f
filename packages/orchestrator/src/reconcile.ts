/**
 * Use-case: bring the queue back in line with the store, which is the truth. Blocks whose lease ran
 * out are queued again, pools are paused or not as the store says, and whatever waits is added to the
 * queue once more; adding twice is harmless, so a queue that lost everything is whole again after one
 * pass.
 */
import { enqueue } from './start-plan.ts'
import type { StartRunSite } from './start-run.ts'

/** One pass over all runs that have not ended. */
export const reconcile = async (site: Pick<StartRunSite, 'store' | 'courier'>): Promise<void> => {
  site.store.blocks.requeueExpired()
  // A queue that was emptied has forgotten what is paused; one that was away was not told.
  for (const { pool, paused } of site.store.pools.list()) {
    await (paused ? site.courier.pause(pool) : site.courier.resume(pool))
  }
  await enqueue(site.store.blocks.queued(), site.courier)
}
