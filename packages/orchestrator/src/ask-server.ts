/**
 * Asks a server once, instead of the store that it holds: the command line's side of the HTTP API.
 * Unlike a worker it does not wait for a server that is away.
 */
import { problemSchema } from '@assay/model'
import type { z } from 'zod'
import { serverRefused, serverUnintelligible, serverUnreachable } from './errors.ts'

/** How long an answer may take. */
const timeoutMillis = 30_000

/** Which server, and what to show it. */
export interface AskedServer {
  readonly url: string
  /** Absent shows none. */
  readonly token?: string
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
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
  const text = await response.text()
  const json = jsonOf(text)
  const answer = schema.safeParse(json)
  if (response.ok && answer.success) return answer.data
  const problem = problemSchema.safeParse(json)
  if (!response.ok && problem.success) throw serverRefused(problem.data)
  throw serverUnintelligible(url, response.status, text)
}
