/** A frozen plan becomes a run: stored whole, then queued block by block. */
import type { Plan, PlannedRun } from '@assay/model'
import { type Courier, defaultPool } from '@assay/queue'
import type { QueuedBlock } from '@assay/store'
import type { StartRunSite } from './start-run.ts'

/** Stores the run with its blocks and cells, then queues what is to be measured. */
export const startPlan = async (
  plan: Plan,
  name: string | null,
  site: StartRunSite,
): Promise<PlannedRun> => {
  const run = {
    id: site.newId(),
    name,
    campaign: plan.campaign,
    campaignDigest: plan.campaignDigest,
    seed: plan.seed,
    status: 'planned' as const,
    reason: null,
    createdAt: site.now(),
    finishedAt: null,
  }
  site.store.runs.create(run, plan)
  const waiting = site.store.blocks.listOf(run.id).filter(({ status }) => status === 'queued')
  await enqueue(waiting, site.courier)
  return site.store.runs.get(run.id)
}

/** Queues blocks that wait to be measured; adding one twice is harmless. */
export const enqueue = (blocks: readonly QueuedBlock[], courier: Courier): Promise<void> =>
  courier.add(
    blocks.map(({ runId, blockId }) => ({ runId, blockId, pool: defaultPool, priority: 0 })),
  )
