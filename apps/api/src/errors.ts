/** Errors of the HTTP surface, and how whatever is thrown becomes problem+json (RFC 9457). */
import { AssayError, httpStatusOf, type Problem, type Scope } from '@assay/model'

/** Which Assay somebody is. */
interface Build {
  readonly version: string
  readonly protocol: number
}

/** A Host header that does not name this server: a page of another site is asking (DNS rebinding). */
export const hostRefused = (host: string): AssayError =>
  new AssayError({
    code: 'host-refused',
    kind: 'usage',
    message: `the Host header "${host}" does not name this server; use 127.0.0.1 or localhost, or a token`,
  })

/** A browser says that a page of another site is asking. */
export const originRefused = (origin: string): AssayError =>
  new AssayError({
    code: 'origin-refused',
    kind: 'forbidden',
    message: `pages of "${origin}" may not use this server; open it at its own address`,
  })

/** Which programs are started is for the administrator to say. */
export const execRefused = (): AssayError =>
  new AssayError({
    code: 'exec-refused',
    kind: 'forbidden',
    message:
      'a campaign that gives a command, a hook, a script or the source of a dataset needs a token of scope `admin`, unless ' +
      "the same text lies in the server's folder of campaigns; put it there, or run it with " +
      '`assay run` on the machine itself',
  })

/** The scheme of this API's tokens, and where to get one. */
const howToAsk =
  'send `Authorization: Bearer TOKEN`; `assay token create --name NAME --scope SCOPE` makes one'

/** Without a token nobody may do this; from elsewhere, nothing. */
export const tokenMissing = (scope: Scope): AssayError =>
  new AssayError({
    code: 'token-missing',
    kind: 'unauthenticated',
    message: `this needs a token of scope \`${scope}\`: ${howToAsk}`,
    details: { scope },
  })

/** Nobody made that token. */
export const tokenUnknown = (): AssayError =>
  new AssayError({
    code: 'token-unknown',
    kind: 'unauthenticated',
    message: `this server made no such token: ${howToAsk}`,
  })

/** Its time is over. */
export const tokenExpired = (name: string): AssayError =>
  new AssayError({
    code: 'token-expired',
    kind: 'unauthenticated',
    message: `the token "${name}" has expired: ask for a new one`,
    details: { name },
  })

/** It was taken back. */
export const tokenRevoked = (name: string): AssayError =>
  new AssayError({
    code: 'token-revoked',
    kind: 'unauthenticated',
    message: `the token "${name}" was revoked: ask for a new one`,
    details: { name },
  })

/** The token allows other things. */
export const scopeMissing = (
  { name, scopes }: { readonly name: string; readonly scopes: readonly Scope[] },
  needed: Scope,
): AssayError =>
  new AssayError({
    code: 'scope-missing',
    kind: 'forbidden',
    message: `this needs the scope \`${needed}\`, and the token "${name}" has ${scopes.join(', ')}: use one that has it`,
    details: { needed, scopes: [...scopes] },
  })

/** A campaign name that is not in the server's folder. */
export const campaignUnknown = (name: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'campaign-unknown',
    kind: 'not-found',
    message: `no campaign "${name}" in the server's folder or store; there are ${known.join(', ') || 'none'}`,
    details: { known },
  })

/** No format of a report is acceptable to the client. */
export const notAcceptable = (accepted: string, offered: readonly string[]): AssayError =>
  new AssayError({
    code: 'not-acceptable',
    kind: 'usage',
    message: `reports are offered as ${offered.join(', ')}, not as ${accepted}`,
    details: { offered },
  })

/** The number of a round in the path and in the body differ. */
export const roundMismatch = (path: number, body: number): AssayError =>
  new AssayError({
    code: 'round-mismatch',
    kind: 'usage',
    message: `the path says round ${path}, the body round ${body}: send a round to its own path`,
  })

/** What arrived is not what the worker measured: it was changed on the way, or digested otherwise. */
export const roundDigestWrong = (sent: string, found: string): AssayError =>
  new AssayError({
    code: 'round-digest-wrong',
    kind: 'usage',
    message: `the round has the digest ${found}, not ${sent}: it was changed on the way; send it again`,
    details: { sent, found },
  })

/** A worker of another build than the server's: what it would send may mean something else. */
export const workerVersionDiffers = (worker: Build, server: Build): AssayError =>
  new AssayError({
    code: 'worker-version-differs',
    kind: 'conflict',
    message: `the worker is Assay ${worker.version} (protocol ${worker.protocol}), this server ${server.version} (protocol ${server.protocol}): install ${server.version} on the worker's host, or update the server`,
    details: { worker, server },
  })

/** A key stands for one request; another one needs another key. */
export const idempotencyKeyReused = (key: string, runId: string): AssayError =>
  new AssayError({
    code: 'idempotency-key-reused',
    kind: 'unmeasurable',
    message: `the Idempotency-Key "${key}" started run ${runId} with another request; make up a new key for this one`,
    details: { key, runId },
  })

/** Something that the server needs does not work. */
export const notReady = (why: string): AssayError =>
  new AssayError({
    code: 'not-ready',
    kind: 'unmeasurable',
    message: `the server cannot work: ${why}`,
    details: { why },
  })

/** There is no such endpoint. */
export const notFound = (method: string, url: string): AssayError =>
  new AssayError({
    code: 'not-found',
    kind: 'not-found',
    message: `there is no ${method} ${url}; /api/v1/openapi.json lists what there is`,
  })

/** The command line of the server cannot be understood. */
export const configInvalid = (why: string): AssayError =>
  new AssayError({ code: 'config-invalid', kind: 'usage', message: why })

/** The address to listen on is not one of this machine. */
export const hostUnusable = (host: string, why: string): AssayError =>
  new AssayError({
    code: 'host-unusable',
    kind: 'usage',
    message: `cannot listen on ${host} (${why}): give \`--host\` an address of this machine, 0.0.0.0 for all`,
    details: { host },
  })

/** The file for the first token cannot be written. */
export const tokenFileUnusable = (path: string, cause: unknown): AssayError =>
  new AssayError({
    code: 'token-file-unusable',
    kind: 'usage',
    message: `the first token cannot be written to ${path} (${cause instanceof Error ? cause.message : String(cause)}): give \`--token-file\` another path`,
    details: { path },
    cause,
  })

/** Another program listens where the server should. */
export const portBusy = (host: string, port: number): AssayError =>
  new AssayError({
    code: 'port-busy',
    kind: 'usage',
    message: `port ${port} of ${host} is in use; choose another with \`--port\`, 0 takes a free one`,
  })

/** Statuses that say more than the kind of an error does (RFC 9110, sections 15.5 and 15.6). */
const statusByCode: Readonly<Record<string, number>> = {
  'not-acceptable': 406,
  'host-refused': 421,
  'not-ready': 503,
  // Whoever asks again later finds the queue well: a worker must not take it for its own fault.
  'queue-refused': 503,
  'queue-unreachable': 503,
}

/** What the framework refuses before a route is asked, by status; our code instead of its own. */
const codeByStatus: Readonly<Record<number, string>> = {
  400: 'request-invalid',
  404: 'not-found',
  413: 'body-too-large',
  414: 'url-too-long',
  415: 'media-type-unsupported',
}

interface HttpFault {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The parts of a request, as a person calls them. */
const partNames: Readonly<Record<string, string>> = {
  querystring: 'query',
  params: 'path',
  body: 'body',
  headers: 'headers',
}

const issueText = ({
  path,
  message,
}: {
  readonly path: string
  readonly message: string
}): string => {
  const place = path.replace(/^\//, '').replaceAll('/', '.')
  const plain = message
    .replace(/^Invalid (input|option): /, '')
    .replace(', received undefined', ', and there is none')
    .replace(', received NaN', '')
  return place === '' ? plain : `${place}: ${plain}`
}

/** One sentence for everything that a schema found wrong; null if the error is about another thing. */
const issuesSentence = (error: Error): string | null => {
  const { issues } = issuesOf(error)
  if (issues === undefined) return null
  const context = 'validationContext' in error ? String(error.validationContext) : ''
  return `the ${partNames[context] ?? 'request'} does not fit: ${issues.map(issueText).join('; ')}`
}

/** What a schema found wrong with a request, if that is what the error is about. */
const issuesOf = (
  error: Error,
): { readonly issues?: readonly { readonly path: string; readonly message: string }[] } => {
  if (!('validation' in error) || !Array.isArray(error.validation)) return {}
  const issues = error.validation.map(({ instancePath, message }) => ({
    path: String(instancePath),
    message: String(message),
  }))
  return { issues }
}

/** The framework's own errors carry a status; whatever else is ours to hide. */
const faultOf = (error: unknown): HttpFault => {
  if (error instanceof AssayError && error.kind !== 'internal') {
    const { code, message, details } = error
    return { status: statusByCode[code] ?? httpStatusOf(error), code, detail: message, details }
  }
  if (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode < 500
  ) {
    const status = error.statusCode
    const code = codeByStatus[status] ?? 'request-refused'
    const detail = issuesSentence(error) ?? error.message
    return { status, code, detail, details: issuesOf(error) }
  }
  const detail = 'something went wrong on the server; its log says what'
  return { status: 500, code: 'internal', detail, details: {} }
}

/** The answer for whatever was thrown. */
export const problemOf = (error: unknown): Problem => {
  const { status, code, detail, details } = faultOf(error)
  return { type: 'about:blank', title: code, status, code, detail, details }
}

/**
 * The value of WWW-Authenticate that goes with a problem (RFC 6750, section 3); null for one that is
 * not about tokens.
 */
export const challengeOf = ({ code, status, details }: Problem): string | null => {
  const realm = 'Bearer realm="assay"'
  if (code === 'token-missing') return realm
  if (status === 401) return `${realm}, error="invalid_token"`
  if (code !== 'scope-missing') return null
  return `${realm}, error="insufficient_scope", scope="${String(details['needed'])}"`
}
