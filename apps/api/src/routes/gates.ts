/** The gate as a pipeline asks it: a run that is held against rules, confirmed, and decided here. */
import {
  gateBlockerSchema,
  gateRulesSchema,
  gateSchema,
  gateStateSchema,
  startGateRequestSchema,
} from '@assay/model'
import { gateRun, stateOfGate } from '@assay/orchestrator'
import { z } from 'zod'
import { askedOf, onceHeaders } from '../asked-once.ts'
import { beginRun } from '../begin-run.ts'
import type { Route } from '../route.ts'
import { runParams } from './run-params.ts'

const gateQuery = z.strictObject({
  block: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(gateBlockerSchema).min(1))
    .exactOptional()
    .describe('what blocks, separated by commas; regression,failed,missing,suspect if not said'),
  threshold: z.coerce
    .number()
    .min(0)
    .max(10)
    .exactOptional()
    .describe('regressions smaller than this fraction do not block'),
})

export const gateRoutes: Route = (app, site) => {
  const { store } = site
  app.post(
    '/gates',
    {
      config: { scope: 'run' },
      schema: {
        tags: ['gates'],
        summary:
          'measure a campaign and decide whether a change may land; regressions are measured again',
        headers: onceHeaders,
        body: startGateRequestSchema,
        response: {
          200: gateStateSchema.describe('the gate that the same request started before'),
          201: gateStateSchema.describe('its run is queued'),
        },
      },
    },
    async (request, reply) => {
      const { rules = gateRulesSchema.parse({}), confirmRounds, ...body } = request.body
      const asked = askedOf(request.headers, { action: 'start a gate', body: request.body })
      const gate = { rules, confirmRounds }
      const { run, isNew } = await beginRun(body, { asked, request, gate }, site)
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/api/v1/gates/${run.id}`)
        .send(stateOfGate(run.id, store))
    },
  )
  app.get(
    '/gates/:run',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['gates'],
        summary: 'how far a gate is, and what it decided',
        params: runParams,
        response: { 200: gateStateSchema.describe('the gate of a run') },
      },
    },
    async ({ params }) => stateOfGate(store.runs.find(params.run).id, store),
  )
  app.get(
    '/runs/:run/gate',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['gates'],
        summary: 'may a change land on this run? Which rows block, which were accepted, and why',
        params: runParams,
        querystring: gateQuery,
        response: { 200: gateSchema.describe('the outcome, the OR of its rows') },
      },
    },
    async ({ params, query }) =>
      gateRun(store.runs.find(params.run).id, gateRulesSchema.parse(query), store).gate,
  )
}
