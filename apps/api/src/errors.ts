/** Errors of the HTTP surface, and how whatever is thrown becomes problem+json (RFC 9457). */
import { AssayError, httpStatusOf, type Problem } from '@assay/model'

/** A Host header that does not name this server: a page of another site is asking (DNS rebinding). */
export const hostRefused = (host: string): AssayError =>
  new AssayError({
    code: 'host-refused',
    kind: 'usage',
    message: `the Host header "${host}" does not name this server; use 127.0.0.1 or localhost`,
  })

/** Programs are only started for who sits at this machine. */
export const execRefused = (): AssayError =>
  new AssayError({
    code: 'exec-refused',
    kind: 'usage',
    message: 'exec is refused over HTTP; run this campaign with `assay run` on the machine itself',
  })

/** A campaign name that is not in the server's folder. */
export const campaignUnknown = (name: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'campaign-unknown',
    kind: 'not-found',
    message: `no campaign "${name}" in the server's folder; it has ${known.join(', ') || 'none'}`,
    details: { known },
  })

/** No format of a report is acceptable to the client. */
export const notAcceptable = (accepted: string, offered: readonly string[]): AssayError =>
  new AssayError({
    code: 'not-acceptable',
    kind: 'usage',
    message: `reports are offered as ${offered.join(', ')}, not as ${accepted}`,
  })

interface HttpFault {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Fastify's own errors carry a status and a code; anything else is ours to hide. */
const faultOf = (error: unknown): HttpFault => {
  if (error instanceof AssayError) {
    const { code, message, details } = error
    return { status: httpStatusOf(error), code, detail: message, details }
  }
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : 'request-refused'
    return { status: error.statusCode, code, detail: error.message, details: {} }
  }
  const detail = 'something went wrong on the server; its log says what'
  return { status: 500, code: 'internal', detail, details: {} }
}

/** The answer for whatever was thrown. */
export const problemOf = (error: unknown): Problem => {
  const { status, code, detail, details } = faultOf(error)
  return { type: 'about:blank', title: code, status, code, detail, details }
}
