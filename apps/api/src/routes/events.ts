/** What happens, as it happens: of one run until it ends, or of all. */
import { streamEventSchema } from '@assay/model'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { holdsStill } from '../authorize.ts'
import { principalOf } from '../authorize-requests.ts'
import { writeStream } from '../event-stream.ts'
import type { Route } from '../route.ts'
import { runParams } from './run-params.ts'

const fromHeaders = z.looseObject({
  'last-event-id': z.coerce
    .number()
    .int()
    .min(0)
    .exactOptional()
    .describe('the `id` of the last event that the client has: the stream goes on after it'),
})

const fromQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .exactOptional()
    .describe('as Last-Event-ID, for a client that cannot set headers'),
})

const answer = {
  description:
    'server-sent events; the `data` of each is one of these, its `event` is the `type`, its `id` goes up',
  content: { 'text/event-stream': { schema: streamEventSchema } },
}

export const eventRoutes: Route = (app, { store, now }) => {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const follow = async (
    reply: FastifyReply,
    from: { readonly runId?: string; readonly after: number | undefined },
  ): Promise<void> => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const over = AbortSignal.any([gone.signal, closing.signal])
    const principal = principalOf(reply.request)
    // What it was opened with may be revoked, or expire, while it lasts.
    const mayLook = (): boolean => holdsStill(principal, { get: store.tokens.get, now })
    reply.hijack()
    await writeStream(reply.raw, { store, ...from, after: from.after ?? null, over, mayLook })
  }
  app.get(
    '/events',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['events'],
        summary: 'what happens to all runs, from now or from after an event; never ends',
        headers: fromHeaders,
        querystring: fromQuery,
        response: { 200: answer },
      },
    },
    async ({ headers, query }, reply) =>
      follow(reply, { after: headers['last-event-id'] ?? query.after }),
  )
  app.get(
    '/runs/:run/events',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['events'],
        summary: 'what happens to a run, from its beginning or from after an event, until it ends',
        params: runParams,
        headers: fromHeaders,
        querystring: fromQuery,
        response: { 200: answer },
      },
    },
    async ({ params, headers, query }, reply) => {
      const { id: runId } = store.runs.find(params.run)
      await follow(reply, { runId, after: headers['last-event-id'] ?? query.after })
    },
  )
}
