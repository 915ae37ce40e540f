/** How the routes' schemas become an OpenAPI 3.1 document. */
import { assayVersion, problemSchema } from '@assay/model'
import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Api } from './route.ts'

/** What every route may answer instead of what it declares. */
const problemResponse = {
  description: 'what is wrong and what to do, with a stable `code` (problem+json, RFC 9457)',
  content: { 'application/problem+json': { schema: problemSchema } },
} as const

/** What the document calls the way in which tokens are sent. */
const tokenScheme = 'token'

const tokenSecurity = {
  type: 'http',
  scheme: 'bearer',
  description:
    'a token of the scope that the endpoint names as `x-scope`; from the machine itself, GET of ' +
    'scope `read` needs none',
} as const

/** Documents every route that is added afterwards, and its errors. */
export const documentRoutes = async (app: Api): Promise<void> => {
  app.addHook('onRoute', (route) => {
    const { schema, config } = route
    if (schema === undefined || schema.hide === true) return
    const declared = typeof schema.response === 'object' ? schema.response : {}
    const scope = config?.scope ?? 'open'
    const documented = {
      ...schema,
      response: { ...declared, default: problemResponse },
      security: scope === 'open' ? [] : [{ [tokenScheme]: [scope] }],
      'x-scope': scope,
    }
    route.schema = documented
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version: assayVersion,
        description:
          'Benchmark campaigns for storage engines: start runs, follow them, read their reports. ' +
          'Workers take blocks and save rounds through the same interface.',
      },
      components: { securitySchemes: { [tokenScheme]: tokenSecurity } },
      tags: [
        {
          name: 'campaigns',
          description: 'campaigns with their versions; what a run would measure',
        },
        { name: 'runs', description: 'start, follow and cancel runs; read what was measured' },
        {
          name: 'reviews',
          description: 'what people decided on a report before a change lands',
        },
        {
          name: 'gates',
          description: 'measure, hold against rules, measure regressions again: may a change land?',
        },
        { name: 'events', description: 'follow runs as they are measured (server-sent events)' },
        { name: 'work', description: "the workers' side: blocks are taken, measured and finished" },
        { name: 'fleet', description: 'workers and pools: who can measure, and what waits' },
        {
          name: 'tokens',
          description: 'who may do what, and who did',
        },
        { name: 'health', description: 'whether the server is in order' },
      ],
    },
    transform: jsonSchemaTransform,
  })
}
