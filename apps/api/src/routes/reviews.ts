/** Deciding on a report: reviews, which are kept for ever. */
import { addReviewRequestSchema, listReviewsResponseSchema, reviewSchema } from '@assay/model'
import { reviewRun } from '@assay/orchestrator'
import { actorOf } from '../authorize.ts'
import type { Route } from '../route.ts'
import { runParams } from './run-params.ts'

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
}
