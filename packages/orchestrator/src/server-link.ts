/**
 * The way to a server, as a worker needs it: requests that fail on the way are repeated, ever more
 * slowly, until they succeed or the worker is told to stop; what the server refuses by name is not.
 * That the server is away, and back, is told once each.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { type Outage, outageOf, readAnswer } from './server-answer.ts'

/** Pauses between attempts: doubled each time up to the most, and spread by half. */
const firstPauseMillis = 250
const mostPauseMillis = 10_000

/** The longest a request may take: the long poll's most and some slack. */
const requestTimeoutMillis = 75_000

/** Where the server is, and when to give up asking. */
export interface ServerAddress {
  readonly url: string
  /** What says that this worker may measure; absent where the server asks nobody. */
  readonly token?: string
  readonly stop: AbortSignal
  /** From 0 to below 1: keeps many workers from asking all at once. */
  readonly random: () => number
  /** Told when the server no longer serves, with what it says if it says something; and when it does again. */
  readonly onReach: (isReached: boolean, reason?: string) => void
}

/** A request and the schema of its answer. */
export interface ServerRequest<Answer> {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: unknown
  readonly answer: z.ZodType<Answer>
}

/** An open way to a server. */
export interface ServerLink {
  /** Repeats the request until it is answered; `signal` ends that too. Errors: the server's own. */
  send<Answer>(request: ServerRequest<Answer>, signal?: AbortSignal): Promise<Answer>
  /** Tries once, even when told to stop: the last words of a worker must still be sent. */
  once<Answer>(request: ServerRequest<Answer>): Promise<Answer>
  /** How often the server was away so far. */
  outages(): number
  /** Whether the worker was told to stop. */
  isStopped(): boolean
}

/** Server errors and broken connections pass. */
const attempt = async <Answer>(
  { url, token }: ServerAddress,
  request: ServerRequest<Answer>,
  stop: AbortSignal | null,
): Promise<{ readonly answer: Answer } | Outage> => {
  const timeout = AbortSignal.timeout(requestTimeoutMillis)
  let response: Response
  try {
    response = await fetch(new URL(`/api/v1${request.path}`, url), {
      method: request.method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(request.body),
      signal: stop === null ? timeout : AbortSignal.any([stop, timeout]),
    })
  } catch (error) {
    if (stop?.aborted === true) throw error
    return {}
  }
  const text = await response.text().catch(() => null)
  if (text === null) return {}
  const { ok, status } = response
  if (status >= 500) return outageOf(text)
  return { answer: readAnswer(url, { ok, status, text }, request.answer) }
}

/** Opens the way; nothing is sent before the first request. */
export const openServerLink = (address: ServerAddress): ServerLink => {
  const { stop, random, onReach } = address
  let isReached = true
  let outages = 0
  const reached = (now: boolean, reason?: string): void => {
    if (now !== isReached) onReach(now, reason)
    if (isReached && !now) outages += 1
    isReached = now
  }
  const tried = async <Answer>(
    request: ServerRequest<Answer>,
    signal: AbortSignal | null,
  ): Promise<{ readonly answer: Answer } | Outage> => {
    try {
      const outcome = await attempt(address, request, signal)
      if ('answer' in outcome) reached(true)
      else reached(false, outcome.reason)
      return outcome
    } catch (error) {
      // A refusal is an answer, too.
      if (signal?.aborted !== true) reached(true)
      throw error
    }
  }
  return {
    async send(request, signal) {
      const until = signal === undefined ? stop : AbortSignal.any([stop, signal])
      for (let pause = firstPauseMillis; ; pause = Math.min(2 * pause, mostPauseMillis)) {
        const outcome = await tried(request, until)
        if ('answer' in outcome) return outcome.answer
        await sleep(pause * (0.5 + random()), undefined, { signal: until })
      }
    },
    async once(request) {
      const outcome = await tried(request, null)
      if ('answer' in outcome) return outcome.answer
      throw new Error(`the server at ${address.url} does not answer`)
    },
    outages: () => outages,
    isStopped: () => stop.aborted,
  }
}
