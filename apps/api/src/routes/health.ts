/** Whether the server lives: it can read its store. */
import { z } from 'zod'
import type { Route } from '../route.ts'

export const healthRoutes: Route = (app, site) => {
  app.get(
    '/health/live',
    {
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
}
