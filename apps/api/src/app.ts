/** The API as a value that knows no port: schemas, security, problem+json, OpenAPI, routes. */
import swagger from '@fastify/swagger'
import fastify, { type FastifyBaseLogger } from 'fastify'
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { hostRefused, problemOf } from './errors.ts'
import type { Api, Route } from './route.ts'
import { blockRoutes } from './routes/blocks.ts'
import { healthRoutes } from './routes/health.ts'
import { reportRoutes } from './routes/reports.ts'
import { runRoutes } from './routes/runs.ts'
import type { ApiSite } from './site.ts'

const routes: readonly Route[] = [healthRoutes, runRoutes, reportRoutes, blockRoutes]

/** The largest body: a round of many cells with the stderr of each, or a long campaign. */
const mostBodyBytes = 16 * 1024 * 1024

/** Names under which a browser may reach this server; anything else is another site's page. */
const ownHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

const refuseForeignHosts = (app: Api): void => {
  app.addHook('onRequest', async ({ headers }) => {
    const host = headers.host ?? ''
    if (!ownHosts.has(host.replace(/:[0-9]+$/, ''))) throw hostRefused(host)
  })
}

const answerWithProblems = (app: Api): void => {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error)
    if (problem.status >= 500) request.log.error(error)
    return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
  })
  app.setNotFoundHandler((request, reply) => {
    const detail = `there is no ${request.method} ${request.url}`
    const problem = {
      type: 'about:blank',
      title: 'not-found',
      status: 404,
      code: 'not-found',
      detail,
    }
    return reply
      .code(404)
      .type('application/problem+json')
      .send(JSON.stringify({ ...problem, details: {} }))
  })
}

/** The API over `site`; not listening yet. */
export const buildApp = async (site: ApiSite, logger: FastifyBaseLogger): Promise<Api> => {
  const app = fastify({
    loggerInstance: logger,
    bodyLimit: mostBodyBytes,
    disableRequestLogging: true,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  // Only JSON is read: a form of a foreign page cannot be posted without asking first (CORS).
  app.removeContentTypeParser('text/plain')
  refuseForeignHosts(app)
  answerWithProblems(app)
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Assay', version: '0.1.0' } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  await app.register(
    (scope, _options, done) => {
      for (const route of routes) route(scope.withTypeProvider<ZodTypeProvider>(), site)
      scope.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
      done()
    },
    { prefix: '/api/v1' },
  )
  await app.ready()
  return app
}
