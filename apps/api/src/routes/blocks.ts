/** The workers' side: ask for a block, take it, renew, save rounds, finish or release. */
import {
  finishBlockRequestSchema,
  nextBlockRequestSchema,
  nextBlockResponseSchema,
  putRoundRequestSchema,
  renewRequestSchema,
  renewResponseSchema,
  takeBlockRequestSchema,
  takenBlockSchema,
} from '@assay/model'
import { leaseMillis, storeSink } from '@assay/orchestrator'
import { z } from 'zod'
import type { Route } from '../route.ts'

const blockParams = z.strictObject({ run: z.string(), block: z.string() })
const saved = z.strictObject({ saved: z.literal(true) })

export const blockRoutes: Route = (app, site) => {
  const sink = storeSink(site.store, site.newToken)
  const { courier, deliveries, store } = site
  app.post(
    '/blocks/next',
    {
      schema: {
        summary: 'wait for a block to measure',
        body: nextBlockRequestSchema,
        response: { 200: nextBlockResponseSchema },
      },
    },
    async ({ body, raw }) => {
      const gone = new AbortController()
      raw.socket.once('close', () => gone.abort())
      const delivery = await courier.next({ ...body, signal: gone.signal })
      if (delivery === null) return { block: null }
      if (gone.signal.aborted) {
        await delivery.giveBack()
        return { block: null }
      }
      deliveries.hold(delivery)
      return { block: { runId: delivery.runId, blockId: delivery.blockId } }
    },
  )
  app.post(
    '/runs/:run/blocks/:block/take',
    {
      schema: {
        summary: 'take a block: the answer freezes what is measured',
        params: blockParams,
        body: takeBlockRequestSchema,
        response: { 200: takenBlockSchema },
      },
    },
    async ({ params, body }) => {
      const block = { runId: params.run, blockId: params.block }
      try {
        return await sink.take(block, body)
      } catch (error) {
        // Another holds the block, or it has ended: this delivery has nothing more to say.
        await deliveries.done(block)
        throw error
      }
    },
  )
  app.put(
    '/runs/:run/blocks/:block/rounds/:number',
    {
      schema: {
        summary: 'save a round; repeating it with the same digest is fine',
        params: blockParams.extend({ number: z.coerce.number().int().min(1) }),
        body: putRoundRequestSchema,
        response: { 200: saved, 201: saved },
      },
    },
    async ({ body }, reply) => {
      const outcome = store.rounds.put(body)
      return reply.code(outcome === 'created' ? 201 : 200).send({ saved: true as const })
    },
  )
  app.post(
    '/runs/:run/blocks/:block/finish',
    {
      schema: {
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
      schema: {
        summary: 'keep the lease of a take',
        body: renewRequestSchema,
        response: { 200: renewResponseSchema },
      },
    },
    async ({ body }) => store.blocks.renew({ ...body, leaseMillis }),
  )
  app.post(
    '/runs/:run/blocks/:block/release',
    {
      schema: {
        summary: 'give a block back unfinished',
        params: blockParams,
        body: renewRequestSchema,
        response: { 200: saved },
      },
    },
    async ({ params, body }) => {
      const block = { runId: params.run, blockId: params.block }
      await sink.release(block, body.token)
      await deliveries.giveBack(block)
      return { saved: true as const }
    },
  )
}
