/** Use-case: start a run. Plans, saves campaign, run, blocks and cells, and queues one job a block. */
import type { Catalogue, PlannedRun } from '@assay/model'
import type { Courier } from '@assay/queue'
import type { Store } from '@assay/store'
import { type PlanOverrides, planCampaign } from './plan-campaign.ts'
import { type RunFacts, startPlan } from './start-plan.ts'
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

export interface StartRunRequest extends RunFacts {
  readonly campaign: CampaignText
  readonly overrides: PlanOverrides
}

/** The started run. Everything is counted and stored before the first job is queued. */
export const startRun = async (
  request: StartRunRequest,
  site: StartRunSite,
): Promise<PlannedRun> => {
  const plan = planCampaign(request.campaign, request.overrides, site.catalogue)
  site.store.campaigns.save({ name: plan.campaign, yaml: request.campaign.text })
  return startPlan(plan, request, site)
}
