/** The audit log, for who administers the server. */
import { listAuditResponseSchema } from '@assay/model'
import type { Route } from '../route.ts'
import { pageOf, pageQuery } from './run-params.ts'

export const auditRoutes: Route = (app, { store }) => {
  app.get(
    '/audit',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['tokens'],
        summary: 'who changed what, and who was refused a change; newest first',
        querystring: pageQuery,
        response: { 200: listAuditResponseSchema.describe('a page of the log') },
      },
    },
    async ({ query }) => store.audit.list(pageOf(query)),
  )
}
