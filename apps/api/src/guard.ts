/**
 * Keeps pages of other sites out. A browser on this machine can reach the server, where looking
 * needs no token: a foreign Host header is a rebound name, a foreign Origin is a page elsewhere,
 * which could otherwise post without a body and without being asked for permission (CORS). Whoever
 * shows a token may use any name: no page elsewhere has one.
 */
import type { FastifyRequest } from 'fastify'
import { hostRefused, originRefused } from './errors.ts'
import type { Api } from './route.ts'

/** Names under which a browser on this machine may reach this server. */
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** What a proxy adds: then it is not the asker's own address that the connection comes from. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

/** Whether an address, of a connection or to listen on, is this machine's own (RFC 6890). */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)

const hostOf = ({ headers }: FastifyRequest): string => (headers.host ?? '').toLowerCase()

const namesUs = (host: string): boolean => ownNames.has(host.replace(/:[0-9]+$/, ''))

/** Whether a request comes from this machine itself, and from no page of another site. */
export const isFromHere = (request: FastifyRequest): boolean =>
  isLoopback(request.socket.remoteAddress ?? '') &&
  namesUs(hostOf(request)) &&
  proxyHeaders.every((name) => request.headers[name] === undefined)

/** Adds the check to every request, also of routes that do not exist. */
export const refuseForeignPages = (
  app: Api,
  { isPublic }: { /** Whether it listens for other machines. */ readonly isPublic: boolean },
): void => {
  app.addHook('onRequest', async (request) => {
    const host = hostOf(request)
    const { origin, authorization } = request.headers
    const isKnownBySecret = authorization !== undefined
    if (!isPublic && !isKnownBySecret && !namesUs(host)) throw hostRefused(host)
    // A proxy may speak https before it speaks http to us.
    const own = [`http://${host}`, `https://${host}`]
    if (origin !== undefined && !own.includes(origin)) throw originRefused(origin)
  })
}
