/** Deciding on a report: reviews are kept for ever, and a gate holds a run against rules. */
import {
  addReviewRequestSchema,
  gateBlockerSchema,
  gateRulesSchema,
  gateSchema,
  listReviewsResponseSchema,
  reviewSchema,
} from '@assay/model'
import { gateRun, reviewRun } from '@assay/orchestrator'
import { z } from 'zod'
import { actorOf } from '../authorize.ts'
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

export const reviewRoutes: Route = (app, { store }) => {
  app.post(
    '/runs/:run/reviews',
    {
      config: { scope: 'review' },
      schema: {
        tags: ['reviews'],
        summary:
          'accept or reject a report, or rows of it; kept for ever, with the samples it is on',
        params: runParams,
        body: addReviewRequestSchema,
        response: { 201: reviewSchema.describe('the review as it is kept') },
      },
    },
    async (request, reply) => {
      const { params, body, principal, socket } = request
      const who = actorOf(principal ?? { kind: 'nobody' }, socket.remoteAddress ?? null)
      const { id } = store.runs.find(params.run)
      return reply.code(201).send(reviewRun(id, { ...body, who }, store))
    },
  )
  app.get(
    '/runs/:run/reviews',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['reviews'],
        summary: 'what people decided on a run, and whether its samples are still those',
        params: runParams,
        response: { 200: listReviewsResponseSchema.describe('oldest first') },
      },
    },
    async ({ params }) => ({ reviews: store.reviews.ofRun(store.runs.find(params.run).id) }),
  )
  app.get(
    '/runs/:run/gate',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['reviews'],
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
