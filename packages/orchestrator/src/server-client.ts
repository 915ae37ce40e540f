/**
 * A worker's side of the HTTP API: the same sink and courier that a single process has, over the
 * wire. Requests that fail on the way are repeated until they succeed or the worker is told to
 * stop; a round carries its digest, so that repeating one cannot double it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { nextBlockResponseSchema, renewResponseSchema, takenBlockSchema } from '@assay/model'
import type { Courier } from '@assay/queue'
import { z } from 'zod'
import { readAnswer } from './server-answer.ts'
import type { BlockReference, Sink } from './sink.ts'

/** How long after a request that failed on the way the next attempt comes. */
const retryMillis = 500

/** The longest a request may take: the long poll's most and some slack. */
const requestTimeoutMillis = 75_000

/** Where the API is, and when to give up asking. */
export interface ServerAddress {
  readonly url: string
  /** What says that this worker may measure; absent where the server asks nobody. */
  readonly token?: string
  readonly stop: AbortSignal
}

interface ServerRequest<Answer> {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: unknown
  readonly answer: z.ZodType<Answer>
}

const nothing = z.unknown()

/** Server errors and broken connections pass; what the server refuses by name does not. */
const attempt = async <Answer>(
  { url, token, stop }: ServerAddress,
  request: ServerRequest<Answer>,
): Promise<Answer | 'again'> => {
  let response: Response
  try {
    response = await fetch(new URL(`/api/v1${request.path}`, url), {
      method: request.method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(request.body),
      signal: AbortSignal.any([stop, AbortSignal.timeout(requestTimeoutMillis)]),
    })
  } catch (error) {
    if (stop.aborted) throw error
    return 'again'
  }
  if (response.status >= 500) return 'again'
  const text = await response.text().catch(() => null)
  if (text === null) return 'again'
  const { ok, status } = response
  return readAnswer(url, { ok, status, text }, request.answer)
}

const send = async <Answer>(
  address: ServerAddress,
  request: ServerRequest<Answer>,
): Promise<Answer> => {
  for (;;) {
    const answer = await attempt(address, request)
    if (answer !== 'again') return answer
    await sleep(retryMillis, undefined, { signal: address.stop })
  }
}

const pathOf = ({ runId, blockId }: BlockReference): string =>
  `/runs/${encodeURIComponent(runId)}/blocks/${encodeURIComponent(blockId)}`

/** Writes over HTTP. Renewing and releasing are tried once: the caller has its own patience. */
export const httpSink = (address: ServerAddress): Sink => {
  const once = async <Answer>(request: ServerRequest<Answer>): Promise<Answer> => {
    // The last words of a worker that is being stopped must still be sent.
    const answer = await attempt({ ...address, stop: new AbortController().signal }, request)
    if (answer === 'again') throw new Error(`the server at ${address.url} does not answer`)
    return answer
  }
  return {
    take: (block, by) =>
      send(address, {
        ...{ method: 'POST', path: `${pathOf(block)}/take`, body: by, answer: takenBlockSchema },
      }),
    renew: (token) =>
      once({
        ...{ method: 'POST', path: '/takes/renew', body: { token }, answer: renewResponseSchema },
      }),
    async putRound(block, request) {
      const path = `${pathOf(block)}/rounds/${request.round.number}`
      await send(address, { method: 'PUT', path, body: request, answer: nothing })
    },
    async finish(block, request) {
      const path = `${pathOf(block)}/finish`
      await send(address, { method: 'POST', path, body: request, answer: nothing })
    },
    async release(block, request) {
      const path = `${pathOf(block)}/release`
      await once({ method: 'POST', path, body: request, answer: nothing })
    },
  }
}

const notFromHere = (): never => {
  throw new Error('only the server adds, removes and counts jobs')
}

/**
 * The consuming half of a courier over HTTP. The server ends a delivery when the block is finished
 * or released, so there is nothing to say here.
 */
export const httpCourier = (address: ServerAddress): Courier => ({
  async next({ pool, waitMillis, signal }) {
    const stop = signal === undefined ? address.stop : AbortSignal.any([address.stop, signal])
    const asked = await send(
      { ...address, stop },
      {
        method: 'POST',
        path: '/blocks/next',
        body: { pool, waitMillis },
        answer: nextBlockResponseSchema,
      },
    ).catch((error: unknown) => {
      if (stop.aborted) return { block: null }
      throw error
    })
    if (asked.block === null) return null
    const ended = async (): Promise<void> => undefined
    return { ...asked.block, done: ended, giveBack: ended }
  },
  add: notFromHere,
  remove: notFromHere,
  pause: notFromHere,
  resume: notFromHere,
  depth: notFromHere,
  close: async () => undefined,
})
