/** Runs: started from a campaign of the server or posted YAML, listed, looked at. */
import {
  listRunsResponseSchema,
  runProgressSchema,
  runStatusSchema,
  startRunRequestSchema,
  startRunResponseSchema,
} from '@assay/model'
import type { RunFilter } from '@assay/store'
import { z } from 'zod'
import { askedOf, onceHeaders } from '../asked-once.ts'
import { beginRun, summaryOf } from '../begin-run.ts'
import type { Route } from '../route.ts'
import { pageOf, pageQuery, runParams } from './run-params.ts'

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
      const { run, isNew } = await beginRun(body, { asked, request }, site)
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
