/** Campaigns: listed, shown with all versions, stored, and planned without storing anything. */
import {
  campaignResponseSchema,
  listCampaignsResponseSchema,
  planRequestSchema,
  planResponseSchema,
  saveCampaignRequestSchema,
  savedCampaignSchema,
} from '@assay/model'
import { estimatePlan, planCampaign, validateCampaign } from '@assay/orchestrator'
import { z } from 'zod'
import { campaignOf, listCampaigns, showCampaign } from '../campaign-shelf.ts'
import { overridesOf } from '../overrides.ts'
import { refuseCommands } from '../refuse-commands.ts'
import type { Route } from '../route.ts'

const reading: Route = (app, site) => {
  app.get(
    '/campaigns',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['campaigns'],
        summary: "the campaigns of the server's folder, and all that were ever run or stored",
        response: { 200: listCampaignsResponseSchema.describe('by name') },
      },
    },
    async () => ({ campaigns: await listCampaigns(site) }),
  )
  app.get(
    '/campaigns/:campaign',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['campaigns'],
        summary: 'a campaign with the text of every version',
        params: z.strictObject({ campaign: z.string().describe('the name of the campaign') }),
        response: { 200: campaignResponseSchema.describe('versions, newest first') },
      },
    },
    async ({ params }) => showCampaign(params.campaign, site),
  )
}

export const campaignRoutes: Route = (app, site) => {
  reading(app, site)
  app.post(
    '/campaigns',
    {
      config: { scope: 'run' },
      schema: {
        tags: ['campaigns'],
        summary: 'store a version of a campaign, for runs that name it',
        body: saveCampaignRequestSchema,
        response: {
          200: savedCampaignSchema.describe('that version was stored before'),
          201: savedCampaignSchema.describe('it is stored'),
        },
      },
    },
    async (request, reply) => {
      const { body } = request
      const text = { file: `${body.name ?? 'campaign'}.yaml`, text: body.yaml }
      await refuseCommands(text, request, site)
      const { name } = validateCampaign(text, site.catalogue)
      const { campaigns } = site.store
      const before = campaigns.versions(name).map(({ digest }) => digest)
      const { digest } = campaigns.save({ name, yaml: body.yaml })
      return reply.code(before.includes(digest) ? 200 : 201).send({ name, digest })
    },
  )
  app.post(
    '/plan',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['campaigns'],
        summary: 'what a run would measure and about how long it would take; nothing is stored',
        body: planRequestSchema,
        response: { 200: planResponseSchema.describe('the blocks and cells of the run') },
      },
    },
    async ({ body }) => {
      const campaign = await campaignOf(body, site)
      const plan = planCampaign(campaign, overridesOf(body, '1'), site.catalogue)
      const { campaign: name, campaignDigest, comparedFactor, sampling, blocks } = plan
      return {
        ...{ campaign: name, campaignDigest, comparedFactor, sampling, blocks },
        ...estimatePlan(plan),
      }
    },
  )
}
