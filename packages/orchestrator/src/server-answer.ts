/** What a server answered, read once: by the schema of the answer, or as the problem that it names. */
import { problemSchema } from '@assay/model'
import type { z } from 'zod'
import { serverRefused, serverUnintelligible } from './errors.ts'

/** What a text says as JSON; null for nothing, and for what is no JSON. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** To be asked again: nothing answered, or a server that cannot serve now, which may say why. */
export interface Outage {
  readonly reason?: string
}

/** What the answer of a server that cannot serve now says of it. */
export const outageOf = (text: string): Outage => {
  const problem = problemSchema.safeParse(jsonOf(text))
  return problem.success ? { reason: `${problem.data.detail} [${problem.data.code}]` } : {}
}

/** An answer as it came. */
export interface ServerAnswer {
  readonly ok: boolean
  readonly status: number
  readonly text: string
}

/** The answer's value. Errors: the server's own, by their code; `server-unintelligible`. */
export const readAnswer = <Answer>(
  url: string,
  { ok, status, text }: ServerAnswer,
  schema: z.ZodType<Answer>,
): Answer => {
  const json = jsonOf(text)
  const answer = schema.safeParse(json)
  if (ok && answer.success) return answer.data
  const problem = problemSchema.safeParse(json)
  if (!ok && problem.success) throw serverRefused(problem.data)
  throw serverUnintelligible(url, status, text)
}
