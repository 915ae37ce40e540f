/** The API as a value that knows no port: schemas, security, problem+json, OpenAPI, routes. */
import { randomUUID } from 'node:crypto'
import fastify, {
  type FastifyBaseLogger,
  type FastifyPluginAsync,
  type FastifyReply,
  LogController,
} from 'fastify'
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { auditChanges } from './audit-changes.ts'
import { authorizeRequests } from './authorize-requests.ts'
import { challengeOf, notFound, problemOf } from './errors.ts'
import { refuseForeignPages } from './guard.ts'
import { documentRoutes } from './openapi.ts'
import type { Api, Route } from './route.ts'
import { auditRoutes } from './routes/audit.ts'
import { blockRoutes } from './routes/blocks.ts'
import { campaignRoutes } from './routes/campaigns.ts'
import { eventRoutes } from './routes/events.ts'
import { gateRoutes } from './routes/gates.ts'
import { healthRoutes } from './routes/health.ts'
import { reportRoutes } from './routes/reports.ts'
import { reviewRoutes } from './routes/reviews.ts'
import { runChangeRoutes } from './routes/run-changes.ts'
import { runPartRoutes } from './routes/run-parts.ts'
import { runRoutes } from './routes/runs.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { workerRoutes } from './routes/workers.ts'
import type { ApiSite } from './site.ts'

export { openDeliveries } from './deliveries.ts'
export type { ApiSite } from './site.ts'

const allRoutes: readonly Route[] = [
  healthRoutes,
  campaignRoutes,
  runRoutes,
  runChangeRoutes,
  runPartRoutes,
  reportRoutes,
  reviewRoutes,
  gateRoutes,
  eventRoutes,
  blockRoutes,
  workerRoutes,
  tokenRoutes,
  auditRoutes,
]

/** The largest body: a round of many cells with the stderr of each, or a long campaign. */
const mostBodyBytes = 16 * 1024 * 1024

/** How long a request may take to arrive; a client that stalls does not keep the server from closing. */
const requestTimeoutMillis = 30_000

const sendProblem = (
  reply: Pick<FastifyReply, 'code' | 'header' | 'send' | 'type'>,
  error: unknown,
): void => {
  const problem = problemOf(error)
  const challenge = challengeOf(problem)
  if (challenge !== null) reply.header('www-authenticate', challenge)
  reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

const answerWithProblems = (app: Api): void => {
  app.setErrorHandler((error, request, reply) => {
    if (problemOf(error).status >= 500) {
      request.log.error({ err: error, method: request.method, url: request.url }, 'internal error')
    }
    sendProblem(reply, error)
  })
  app.setNotFoundHandler((request, reply) =>
    sendProblem(reply, notFound(request.method, request.url)),
  )
}

/** The API over `site`, not listening yet; rejects if a route declares no scope. */
export const buildApp = async (
  site: ApiSite,
  logger: FastifyBaseLogger,
  routes: readonly Route[] = allRoutes,
): Promise<Api> => {
  const app = fastify({
    loggerInstance: logger,
    bodyLimit: mostBodyBytes,
    requestTimeout: requestTimeoutMillis,
    // The audit log outlives the process: its numbers must not begin anew.
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    // A URL that cannot be read is refused before any route or hook.
    frameworkErrors: (error, _request, reply) => sendProblem(reply, error),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  // Only JSON is read: a form of a foreign page cannot be posted without asking first (CORS).
  app.removeContentTypeParser('text/plain')
  refuseForeignPages(app, site)
  answerWithProblems(app)
  authorizeRequests(app, site)
  auditChanges(app, site)
  await documentRoutes(app)
  // An async one, so that what is thrown here rejects.
  const addRoutes: FastifyPluginAsync = async (scope) => {
    for (const route of routes) route(scope.withTypeProvider<ZodTypeProvider>(), site)
    const config = { scope: 'read' } as const
    scope.get('/openapi.json', { config, schema: { hide: true } }, async () => app.swagger())
  }
  await app.register(addRoutes, { prefix: '/api/v1' })
  await app.ready()
  return app
}
