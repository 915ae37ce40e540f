/**
 * Writes the audit log: every change that was made, and every refusal of one. Written before the
 * answer is sent, so that nobody hears of a change that is not in the log. What workers save of
 * their blocks has its own record: takes and rounds.
 */
import { AssayError, type AuditEntry } from '@assay/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Access, actorOf } from './authorize.ts'
import { isChange } from './authorize-requests.ts'
import type { Api } from './route.ts'
import type { ApiSite } from './site.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the path names, references to runs resolved; null before that. */
    audited: Readonly<Record<string, string>> | null
  }
}

/** What these change has another record, or none is needed: planning stores nothing. */
const unrecorded: ReadonlySet<Access> = new Set(['worker', 'read', 'open'])

const refused: ReadonlySet<number> = new Set([401, 403])

const isRecorded = (request: FastifyRequest, { statusCode }: FastifyReply): boolean => {
  const { scope } = request.routeOptions.config
  if (scope === undefined || !isChange(request)) return false
  if (refused.has(statusCode)) return true
  return statusCode < 300 && !unrecorded.has(scope)
}

const namesSchema = z.record(z.string(), z.coerce.string())

/** `latest` means another run tomorrow: the log says which one it was. */
const resolved = (
  names: Readonly<Record<string, string>>,
  { store }: ApiSite,
): Readonly<Record<string, string>> => {
  if (names['run'] === undefined) return names
  try {
    return { ...names, run: store.runs.find(names['run']).id }
  } catch (error) {
    // The route will say that there is none.
    if (error instanceof AssayError) return names
    throw error
  }
}

const entryOf = (request: FastifyRequest, reply: FastifyReply): Omit<AuditEntry, 'id' | 'at'> => {
  const made = reply.getHeader('location')
  return {
    who: actorOf(request.principal ?? { kind: 'nobody' }, request.socket.remoteAddress ?? null),
    action: `${request.method} ${request.routeOptions.url ?? ''}`,
    object: {
      ...(request.audited ?? namesSchema.parse(request.params)),
      ...(typeof made === 'string' ? { location: made } : {}),
    },
    status: reply.statusCode,
    requestId: request.id,
  }
}

/** Adds the log to every request. */
export const auditChanges = (app: Api, site: ApiSite): void => {
  app.decorateRequest('audited', null)
  app.addHook('preHandler', async (request) => {
    if (isChange(request)) request.audited = resolved(namesSchema.parse(request.params), site)
  })
  app.addHook('onSend', async (request, reply) => {
    if (!isRecorded(request, reply)) return
    const entry = entryOf(request, reply)
    try {
      site.store.audit.record(entry)
    } catch (error) {
      // The change is made, and cannot be unmade: the server's own log has the entry then.
      request.log.error({ err: error, entry }, 'a change could not be written to the audit log')
    }
  })
}
