/** Use-case: start a run. Plans, saves campaign, run, blocks and cells, and queues one job a block. */
import type { Catalogue, PlannedRun } from '@assay/model'
import { type Courier, defaultPool } from '@assay/queue'
import type { QueuedBlock, Store } from '@assay/store'
import { type PlanOverrides, planCampaign } from './plan-campaign.ts'
import type { CampaignText } from './validate-campaign.ts'

/** What starting a run needs. */
export interface StartRunSite {
  readonly store: Store
  readonly courier: Courier
  readonly catalogue: Catalogue
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
}

export interface StartRunRequest {
  readonly campaign: CampaignText
  /** A name to find the run by, or null. */
  readonly name: string | null
  readonly overrides: PlanOverrides
}

/** The started run. Everything is counted and stored before the first job is queued. */
export const startRun = async (
  request: StartRunRequest,
  site: StartRunSite,
): Promise<PlannedRun> => {
  const plan = planCampaign(request.campaign, request.overrides, site.catalogue)
  const run = {
    id: site.newId(),
    name: request.name,
    campaign: plan.campaign,
    campaignDigest: plan.campaignDigest,
    seed: plan.seed,
    status: 'planned' as const,
    reason: null,
    createdAt: site.now(),
    finishedAt: null,
  }
  site.store.campaigns.save({ name: plan.campaign, yaml: request.campaign.text })
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
