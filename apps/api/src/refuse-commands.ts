/**
 * Which programs are started on the workers' hosts is decided by who administers the server: a
 * campaign that names commands, hooks, files or addresses of datasets must lie in the server's folder, or come with a
 * token of scope `admin`.
 */
import { namesSources, type Plan, startsPrograms, textDigest } from '@assay/model'
import { type CampaignText, validateCampaign } from '@assay/orchestrator'
import type { FastifyRequest } from 'fastify'
import { isAdmin } from './authorize.ts'
import { principalOf } from './authorize-requests.ts'
import { folderTexts } from './campaign-shelf.ts'
import { execRefused } from './errors.ts'
import type { ApiSite } from './site.ts'

const isInFolder = async (digest: string, site: ApiSite): Promise<boolean> =>
  (await folderTexts(site)).some((text) => textDigest(text) === digest)

/** A campaign to start or to store. Errors: `exec-refused`, those of reading a campaign. */
export const refuseCommands = async (
  campaign: CampaignText,
  request: FastifyRequest,
  site: ApiSite,
): Promise<void> => {
  const read = validateCampaign(campaign, site.catalogue)
  if (isAdmin(principalOf(request))) return
  const isPlain = !startsPrograms(read) && !namesSources(read)
  if (isPlain && read.engines.every(({ script }) => script === null)) return
  if (!(await isInFolder(textDigest(campaign.text), site))) throw execRefused()
}

const isHarmless = ({ blocks }: Plan): boolean =>
  blocks
    .flatMap(({ cells }) => cells)
    .every(
      ({ command, execution, engine, dataset }) =>
        command === null &&
        Object.keys(execution?.hooks ?? {}).length === 0 &&
        engine.script === null &&
        (dataset === null || 'generate' in dataset),
    )

/** A plan to measure again, whoever started it first. Errors: `exec-refused`. */
export const refusePlannedCommands = async (
  plan: Plan,
  request: FastifyRequest,
  site: ApiSite,
): Promise<void> => {
  if (isAdmin(principalOf(request)) || isHarmless(plan)) return
  if (!(await isInFolder(plan.campaignDigest, site))) throw execRefused()
}
