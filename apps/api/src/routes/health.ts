/** Whether the server lives: it can read its store. */
import { z } from 'zod'
import type { Route } from '../route.ts'

export const healthRoutes: Route = (app, site) => {
  app.get(
    '/health/live',
    {
      schema: {
        summary: 'whether the server lives',
        response: { 200: z.strictObject({ status: z.literal('live') }) },
      },
    },
    async () => {
      site.store.runs.openRuns()
      return { status: 'live' as const }
    },
  )
}
