/**
 * Asks a server once, instead of the store that it holds: the command line's side of the HTTP API.
 * Unlike a worker it does not wait for a server that is away.
 */
import type { z } from 'zod'
import { serverUnreachable } from './errors.ts'
import { readAnswer } from './server-answer.ts'

/** How long an answer may take. */
const timeoutMillis = 30_000

/** Which server, and what to show it. */
export interface AskedServer {
  readonly url: string
  /** Absent shows none. */
  readonly token?: string
}

/**
 * The answer to a GET, or to a POST where there is a body. Errors: the server's own, by their code;
 * `server-unreachable`, `server-unintelligible`.
 */
export const askServer = async <Answer>(
  { url, token }: AskedServer,
  { path, body }: { readonly path: string; readonly body?: object },
  schema: z.ZodType<Answer>,
): Promise<Answer> => {
  const response = await fetch(new URL(`/api/v1${path}`, url), {
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMillis),
  }).catch((error: unknown) => {
    throw serverUnreachable(url, error)
  })
  const { ok, status } = response
  return readAnswer(url, { ok, status, text: await response.text() }, schema)
}
