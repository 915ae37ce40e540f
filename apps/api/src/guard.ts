/**
 * Keeps pages of other sites out: a browser on this machine can reach the server, and there is no
 * password. A foreign Host header is a rebound name; a foreign Origin is a page elsewhere, which
 * could otherwise post without a body and without being asked for permission (CORS).
 */
import { hostRefused, originRefused } from './errors.ts'
import type { Api } from './route.ts'

/** Names under which a browser may reach this server. */
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Adds the check to every request, also of routes that do not exist. */
export const refuseForeignPages = (app: Api): void => {
  app.addHook('onRequest', async ({ headers }) => {
    const host = (headers.host ?? '').toLowerCase()
    if (!ownNames.has(host.replace(/:[0-9]+$/, ''))) throw hostRefused(host)
    const { origin } = headers
    if (origin !== undefined && origin !== `http://${host}`) throw originRefused(origin)
  })
}
