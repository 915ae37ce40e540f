/** What becomes of a run: cancelled, gone on with, measured again, marked invalid. */
import {
  markInvalidRequestSchema,
  rerunRequestSchema,
  runSchema,
  startRunResponseSchema,
} from '@assay/model'
import { cancelRun, continueRun, rerunRun } from '@assay/orchestrator'
import { askedOf, onceHeaders, startedBefore } from '../asked-once.ts'
import { factsOf, newSeed, summaryOf } from '../begin-run.ts'
import { refusePlannedCommands } from '../refuse-commands.ts'
import type { Route } from '../route.ts'
import { runParams } from './run-params.ts'

const ending: Route = (app, site) => {
  const { store } = site
  app.post(
    '/runs/:run/cancel',
    {
      config: { scope: 'run' },
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
  app.post(
    '/runs/:run/resume',
    {
      config: { scope: 'run' },
      schema: {
        tags: ['runs'],
        summary: 'queue again at once what no living worker holds; the server does so by itself',
        params: runParams,
        response: { 200: runSchema.describe('the run') },
      },
    },
    async ({ params }) => continueRun(store.runs.find(params.run).id, site),
  )
}

const measuringAgain: Route = (app, site) => {
  const { store } = site
  app.post(
    '/runs/:run/rerun',
    {
      config: { scope: 'run' },
      schema: {
        tags: ['runs'],
        summary: 'measure the plan of a run again, as a new run; all of it or what failed',
        params: runParams,
        headers: onceHeaders,
        body: rerunRequestSchema,
        response: {
          200: startRunResponseSchema.describe('the run that the same request started before'),
          201: startRunResponseSchema.describe('the new run is queued'),
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const { id: runId } = store.runs.find(params.run)
      await refusePlannedCommands(store.runs.get(runId).plan, request, site)
      const asked = askedOf(headers, { action: `measure ${params.run} again`, body })
      const before = startedBefore(asked, store)
      if (before !== null) return reply.code(200).send(summaryOf(store.runs.get(before)))
      const run = await rerunRun(
        {
          ...{ runId, failedOnly: body.failed, seed: body.seed ?? newSeed(), ...factsOf(body) },
          ...(asked === undefined ? {} : { asked }),
        },
        site,
      )
      return reply.code(201).header('location', `/api/v1/runs/${run.id}`).send(summaryOf(run))
    },
  )
}

const marking: Route = (app, { store }) => {
  app.post(
    '/runs/:run/invalid',
    {
      config: { scope: 'run' },
      schema: {
        tags: ['runs'],
        summary: 'say that the numbers of a run are worth nothing, and why; they are kept',
        params: runParams,
        body: markInvalidRequestSchema,
        response: { 200: runSchema.describe('the marked run') },
      },
    },
    async ({ params, body }) => store.runs.mark(store.runs.find(params.run).id, body.reason),
  )
  app.post(
    '/runs/:run/valid',
    {
      config: { scope: 'run' },
      schema: {
        tags: ['runs'],
        summary: 'take back that a run is invalid',
        params: runParams,
        response: { 200: runSchema.describe('the run') },
      },
    },
    async ({ params }) => store.runs.mark(store.runs.find(params.run).id, null),
  )
}

export const runChangeRoutes: Route = (app, site) => {
  ending(app, site)
  measuringAgain(app, site)
  marking(app, site)
}
