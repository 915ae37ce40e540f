/** The workers' side: ask for a block, take it, renew, save rounds, finish or release. */
import {
  digestOf,
  finishBlockRequestSchema,
  nextBlockRequestSchema,
  nextBlockResponseSchema,
  putRoundRequestSchema,
  releaseRequestSchema,
  renewRequestSchema,
  renewResponseSchema,
  takeBlockRequestSchema,
  takenBlockSchema,
} from '@assay/model'
import { storeSink } from '@assay/orchestrator'
import type { Delivery } from '@assay/queue'
import { z } from 'zod'
import { roundDigestWrong, roundMismatch } from '../errors.ts'
import type { Route } from '../route.ts'

const blockParams = z.strictObject({
  run: z.string().describe('the id of the run'),
  block: z.string().describe('the id of the block, e.g. `b1`'),
})
const saved = z.strictObject({ saved: z.literal(true) }).describe('it is in the store')

export const blockRoutes: Route = (app, site) => {
  const { courier, deliveries, leaseMillis, store } = site
  const sink = storeSink(store, site.newToken, leaseMillis)
  app.post(
    '/blocks/next',
    {
      config: { scope: 'worker' },
      schema: {
        tags: ['work'],
        summary: 'wait for a block to measure',
        body: nextBlockRequestSchema,
        response: {
          200: nextBlockResponseSchema.describe('a block, or null if none came in time'),
        },
      },
    },
    async ({ body }, reply) => {
      const gone = new AbortController()
      let unheard: Delivery | null = null
      reply.raw.once('finish', () => {
        unheard = null
      })
      reply.raw.once('close', () => {
        gone.abort()
        // The answer was never sent: nobody knows of the block.
        if (unheard !== null) deliveries.giveBack(unheard).catch((error) => app.log.error(error))
      })
      if (reply.raw.destroyed) gone.abort()
      const { worker, ...request } = body
      if (worker !== undefined) store.workers.seen(worker)
      const delivery = await courier.next({ ...request, signal: gone.signal })
      if (delivery === null) return { block: null }
      if (gone.signal.aborted) {
        await delivery.giveBack()
        return { block: null }
      }
      deliveries.hold(delivery)
      unheard = delivery
      return { block: { runId: delivery.runId, blockId: delivery.blockId } }
    },
  )
  app.post(
    '/runs/:run/blocks/:block/take',
    {
      config: { scope: 'worker' },
      schema: {
        tags: ['work'],
        summary: 'take a block: the answer freezes what is measured',
        params: blockParams,
        body: takeBlockRequestSchema,
        response: {
          200: takenBlockSchema.describe('what to measure, and the token of every write'),
        },
      },
    },
    async ({ params, body }) => {
      const block = { runId: params.run, blockId: params.block }
      try {
        const taken = await sink.take(block, body)
        deliveries.taken(block, { worker: body.worker, token: taken.take.token })
        return taken
      } catch (error) {
        // Another holds the block, or it has ended: this delivery has nothing more to say.
        await deliveries.refused(block)
        throw error
      }
    },
  )
  app.put(
    '/runs/:run/blocks/:block/rounds/:number',
    {
      config: { scope: 'worker' },
      schema: {
        tags: ['work'],
        summary: 'save a round; repeating it with the same digest is fine',
        params: blockParams.extend({
          number: z.coerce.number().int().min(1).describe('as in the body'),
        }),
        body: putRoundRequestSchema,
        response: { 200: saved, 201: saved },
      },
    },
    async ({ params, body }, reply) => {
      if (params.number !== body.round.number) {
        throw roundMismatch(params.number, body.round.number)
      }
      store.blocks.checkToken(body.token, { runId: params.run, blockId: params.block })
      const digest = digestOf(body.round)
      if (digest !== body.digest) throw roundDigestWrong(body.digest, digest)
      const outcome = await store.rounds.putGrouped(body)
      return reply.code(outcome === 'created' ? 201 : 200).send({ saved: true as const })
    },
  )
  app.post(
    '/runs/:run/blocks/:block/finish',
    {
      config: { scope: 'worker' },
      schema: {
        tags: ['work'],
        summary: 'end a block',
        params: blockParams,
        body: finishBlockRequestSchema,
        response: { 200: saved },
      },
    },
    async ({ params, body }) => {
      const block = { runId: params.run, blockId: params.block }
      await sink.finish(block, body)
      await deliveries.done(block)
      return { saved: true as const }
    },
  )
  app.post(
    '/takes/renew',
    {
      config: { scope: 'worker' },
      schema: {
        tags: ['work'],
        summary: 'keep the lease of a take',
        body: renewRequestSchema,
        response: { 200: renewResponseSchema.describe('until when the take holds') },
      },
    },
    async ({ body }) => store.blocks.renew({ ...body, leaseMillis }),
  )
  app.post(
    '/runs/:run/blocks/:block/release',
    {
      config: { scope: 'worker' },
      schema: {
        tags: ['work'],
        summary: 'give a block back unfinished',
        params: blockParams,
        body: releaseRequestSchema,
        response: { 200: saved },
      },
    },
    async ({ params, body }) => {
      const block = { runId: params.run, blockId: params.block }
      await sink.release(block, body)
      await deliveries.giveBack(block)
      return { saved: true as const }
    },
  )
}
