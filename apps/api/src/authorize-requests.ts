/**
 * The HTTP side of who may do what: every route declares its scope, every request is held against
 * it before anything of its body is read.
 */
import type { FastifyRequest } from 'fastify'
import { type Access, type Asking, identify, type Principal, requireAccess } from './authorize.ts'
import { isFromHere } from './guard.ts'
import type { Api } from './route.ts'
import type { ApiSite } from './site.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the endpoint asks of who calls it. A route without it is a fault of ours. */
    readonly scope?: Access
  }
  interface FastifyRequest {
    /** Null until it is known. */
    principal: Principal | null
  }
}

/** Whether a method changes something (RFC 9110, section 9.2.1). */
export const isChange = ({ method }: Pick<FastifyRequest, 'method'>): boolean =>
  method !== 'GET' && method !== 'HEAD'

/**
 * RFC 6750, section 2.1. What is no bearer token is handed on, as one that nobody made; an empty
 * one, of a variable that was not set, is none.
 */
const tokenTextOf = (header = 'Bearer'): string | null => {
  const [, text = header] = /^Bearer *(\S*) *$/i.exec(header) ?? []
  return text === '' ? null : text
}

const askingOf = (request: FastifyRequest): Asking => ({
  tokenText: tokenTextOf(request.headers.authorization),
  isLocal: isFromHere(request),
})

/** Where nothing is, whoever may look may hear so. */
const nowhere = { access: 'read', isChange: false } as const

const needOf = (request: FastifyRequest) => {
  const access = request.routeOptions.config.scope
  return access === undefined ? nowhere : { access, isChange: isChange(request) }
}

/** Who asks. */
export const principalOf = ({ principal }: FastifyRequest): Principal => {
  if (principal === null) throw new Error('a route was reached before it was known who asks')
  return principal
}

/** Holds every request against the scope of its route; a route must declare one to be added. */
export const authorizeRequests = (app: Api, site: ApiSite): void => {
  const { tokens } = site.store
  const book = { byHash: tokens.byHash, workerTokenHash: site.workerTokenHash, now: site.now }
  app.decorateRequest('principal', null)
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.scope === undefined) throw new Error(`${method} ${url} declares no scope`)
  })
  app.addHook('onRequest', async (request) => {
    const principal = identify(askingOf(request), book)
    request.principal = principal
    requireAccess(principal, needOf(request))
    try {
      if (principal.kind === 'token') tokens.used(principal.id)
    } catch (error) {
      // A store that cannot be written to can still be read.
      request.log.error({ err: error }, 'the use of a token could not be noted')
    }
  })
}
