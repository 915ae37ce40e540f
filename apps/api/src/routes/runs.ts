/** Runs: started from a campaign of the server or posted YAML, listed, looked at. */
import { randomBytes } from 'node:crypto'
import {
  listRunsResponseSchema,
  type PlannedRun,
  runProgressSchema,
  runStatusSchema,
  type StartRunRequest,
  startRunRequestSchema,
  startRunResponseSchema,
} from '@assay/model'
import { type RunFacts, startRun } from '@assay/orchestrator'
import type { RunFilter } from '@assay/store'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { askedOf, onceHeaders, startedBefore } from '../asked-once.ts'
import { campaignOf } from '../campaign-shelf.ts'
import { overridesOf } from '../overrides.ts'
import { refuseCommands } from '../refuse-commands.ts'
import type { Route } from '../route.ts'
import { pageOf, pageQuery, runParams } from './run-params.ts'

/** What is told of a run that was started. */
export const summaryOf = ({ id, plan }: Pick<PlannedRun, 'id' | 'plan'>) => ({
  id,
  blocks: plan.blocks.length,
  cells: plan.blocks.reduce((sum, block) => sum + block.cells.length, 0),
})

/** What a request says of the run itself. */
export const factsOf = ({
  name,
  labels,
  priority,
}: {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly priority?: number
}): RunFacts => ({
  name: name ?? null,
  ...(labels === undefined ? {} : { labels }),
  ...(priority === undefined ? {} : { priority }),
})

/** A new seed: eight hexadecimal digits. */
export const newSeed = (): string => randomBytes(4).toString('hex')

const listQuery = z.strictObject({
  ...pageQuery.shape,
  status: runStatusSchema.exactOptional().describe('only runs of this status'),
  campaign: z.string().exactOptional().describe('only runs of the campaign of this name'),
  label: z
    .string()
    .regex(/^[^:]+:/, 'write KEY:VALUE')
    .exactOptional()
    .describe('only runs with this label, KEY:VALUE'),
})

const filterOf = ({ status, campaign, label }: z.infer<typeof listQuery>): RunFilter => {
  const at = label?.indexOf(':') ?? 0
  return {
    ...(status === undefined ? {} : { status }),
    ...(campaign === undefined ? {} : { campaign }),
    ...(label === undefined
      ? {}
      : { label: { key: label.slice(0, at), value: label.slice(at + 1) } }),
  }
}

const starting: Route = (app, site) => {
  const { store } = site
  const begin = async (
    body: StartRunRequest,
    asked: ReturnType<typeof askedOf>,
    request: FastifyRequest,
  ) => {
    const campaign = await campaignOf(body, site)
    await refuseCommands(campaign, request, site)
    // From here to the stored run nothing is awaited: the same request cannot come in between.
    const before = startedBefore(asked, store)
    if (before !== null) return { run: store.runs.get(before), isNew: false }
    const facts = { ...factsOf(body), ...(asked === undefined ? {} : { asked }) }
    const overrides = overridesOf(body, newSeed())
    return { run: await startRun({ campaign, overrides, ...facts }, site), isNew: true }
  }
  app.post(
    '/runs',
    {
      config: { scope: 'run' },
      schema: {
        tags: ['runs'],
        summary: 'start a run of a campaign; with an Idempotency-Key, at most once',
        headers: onceHeaders,
        body: startRunRequestSchema,
        response: {
          200: startRunResponseSchema.describe('the run that the same request started before'),
          201: startRunResponseSchema.describe('the run is queued'),
        },
      },
    },
    async (request, reply) => {
      const { body, headers } = request
      const asked = askedOf(headers, { action: 'start a run', body })
      const before = startedBefore(asked, store)
      if (before !== null) return reply.code(200).send(summaryOf(store.runs.get(before)))
      const { run, isNew } = await begin(body, asked, request)
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/api/v1/runs/${run.id}`)
        .send(summaryOf(run))
    },
  )
}

export const runRoutes: Route = (app, site) => {
  const { store } = site
  starting(app, site)
  app.get(
    '/runs',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'list runs, newest first',
        querystring: listQuery,
        response: { 200: listRunsResponseSchema.describe('a page of runs') },
      },
    },
    async ({ query }) => store.runs.list({ ...pageOf(query), ...filterOf(query) }),
  )
  app.get(
    '/runs/:run',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['runs'],
        summary: 'a run with its progress; by id, name, latest or @-1',
        params: runParams,
        response: { 200: runProgressSchema.describe('the run') },
      },
    },
    async ({ params }) => store.runs.progress(store.runs.find(params.run).id),
  )
}
