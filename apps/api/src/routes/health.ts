/** Whether the server lives, and whether it can work: the store is writable, the queue answers. */
import { z } from 'zod'
import { notReady } from '../errors.ts'
import type { Route } from '../route.ts'

export const healthRoutes: Route = (app, site) => {
  app.get(
    '/health/live',
    {
      config: { scope: 'open' },
      schema: {
        tags: ['health'],
        summary: 'whether the server lives and can read its store',
        response: {
          200: z.strictObject({ status: z.literal('live') }).describe('it lives'),
        },
      },
    },
    async () => {
      site.store.runs.openRuns()
      return { status: 'live' as const }
    },
  )
  app.get(
    '/health/ready',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['health'],
        summary: 'whether runs can be started: the store is writable and the queue answers',
        response: {
          200: z
            .strictObject({
              status: z.literal('ready'),
              /** Jobs that wait, as the queue counts them. */
              waiting: z.int(),
              /** Workers that are alive; without any, what is started waits. */
              workers: z.int(),
            })
            .describe('it can work'),
        },
      },
    },
    async () => {
      const why = (error: unknown): never => {
        throw notReady(error instanceof Error ? error.message : String(error))
      }
      try {
        site.store.checkWritable()
      } catch (error) {
        why(error)
      }
      const waiting = await site.courier.depth().catch(why)
      const workers = site.store.workers.list().filter(({ alive }) => alive).length
      return { status: 'ready' as const, waiting, workers }
    },
  )
}
