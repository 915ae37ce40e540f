/** Runs: create from a campaign of the server's folder or from posted YAML, list, look, cancel. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  listCellsResponseSchema,
  listRunsResponseSchema,
  listSamplesResponseSchema,
  runProgressSchema,
  runSchema,
  type StartRunRequest,
  startRunRequestSchema,
  startRunResponseSchema,
  startsPrograms,
} from '@assay/model'
import { type CampaignText, cancelRun, startRun, validateCampaign } from '@assay/orchestrator'
import { z } from 'zod'
import { campaignUnknown, execRefused } from '../errors.ts'
import type { Route } from '../route.ts'
import type { ApiSite } from '../site.ts'
import { runParams } from './run-params.ts'

const yamlEnding = /\.ya?ml$/

/** The campaigns of the folder; none where there is no such folder. */
const campaignFiles = async (directory: string): Promise<string[]> => {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && yamlEnding.test(entry.name))
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Reads a campaign by its name; only names of the folder's own list are opened. */
const campaignNamed = async (name: string, directory: string): Promise<CampaignText> => {
  const files = await campaignFiles(directory)
  const file = files.find((one) => one === name || one.replace(yamlEnding, '') === name)
  if (file === undefined) {
    throw campaignUnknown(
      name,
      files.map((one) => one.replace(yamlEnding, '')),
    )
  }
  return { file, text: await readFile(join(directory, file), 'utf8') }
}

const campaignOf = (request: StartRunRequest, site: ApiSite): Promise<CampaignText> =>
  'yaml' in request
    ? Promise.resolve({ file: 'campaign.yaml', text: request.yaml })
    : campaignNamed(request.campaign, site.campaignsDirectory)

/** A campaign of a client may neither name a program to start nor a file to read. */
const refuseCommands = (campaign: CampaignText, site: ApiSite): void => {
  const read = validateCampaign(campaign, site.catalogue)
  if (startsPrograms(read) || read.engines.some(({ script }) => script !== null)) {
    throw execRefused()
  }
}

const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(50).describe('most rows of the page'),
  cursor: z.string().exactOptional().describe('`nextCursor` of the page before'),
})

export const runRoutes: Route = (app, site) => {
  const { store } = site
  app.post(
    '/runs',
    {
      schema: {
        tags: ['runs'],
        summary: 'start a run of a campaign',
        body: startRunRequestSchema,
        response: { 201: startRunResponseSchema.describe('the run is queued') },
      },
    },
    async ({ body }, reply) => {
      const campaign = await campaignOf(body, site)
      refuseCommands(campaign, site)
      const seed = body.seed ?? randomBytes(4).toString('hex')
      const overrides = { seed, only: [], skip: [], quick: false }
      const { id, plan } = await startRun({ campaign, name: body.name ?? null, overrides }, site)
      const cells = plan.blocks.reduce((sum, block) => sum + block.cells.length, 0)
      return reply.code(201).send({ id, blocks: plan.blocks.length, cells })
    },
  )
  app.get(
    '/runs',
    {
      schema: {
        tags: ['runs'],
        summary: 'list runs, newest first',
        querystring: pageQuery,
        response: { 200: listRunsResponseSchema.describe('a page of runs') },
      },
    },
    async ({ query }) => store.runs.list({ limit: query.limit, cursor: query.cursor ?? null }),
  )
  app.get(
    '/runs/:run',
    {
      schema: {
        tags: ['runs'],
        summary: 'a run with its progress; by id, name, latest or @-1',
        params: runParams,
        response: { 200: runProgressSchema.describe('the run') },
      },
    },
    async ({ params }) => store.runs.progress(store.runs.find(params.run).id),
  )
  app.post(
    '/runs/:run/cancel',
    {
      schema: {
        tags: ['runs'],
        summary: 'cancel a run; what was measured is kept',
        params: runParams,
        response: { 200: runSchema.describe('the cancelled run') },
      },
    },
    async ({ params }) => {
      const run = await cancelRun(store.runs.find(params.run).id, site)
      site.deliveries.forgetRun(run.id)
      return run
    },
  )
  app.get(
    '/runs/:run/cells',
    {
      schema: {
        tags: ['runs'],
        summary: 'the cells of a run as they stand',
        params: runParams,
        response: { 200: listCellsResponseSchema.describe('all cells, in the order of the plan') },
      },
    },
    async ({ params }) => ({ cells: store.cells.ofRun(store.runs.find(params.run).id) }),
  )
  app.get(
    '/runs/:run/samples',
    {
      schema: {
        tags: ['runs'],
        summary: 'every sample of a run, warmups and superseded takes included',
        params: runParams,
        querystring: pageQuery,
        response: {
          200: listSamplesResponseSchema.describe(
            'a page of samples, by block, take, round and position',
          ),
        },
      },
    },
    async ({ params, query }) =>
      store.samples.ofRun(store.runs.find(params.run).id, {
        limit: query.limit,
        cursor: query.cursor ?? null,
      }),
  )
}
