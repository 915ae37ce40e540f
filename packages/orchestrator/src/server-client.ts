/**
 * A worker's side of the HTTP API: the same sink and courier that a single process has, over the
 * wire. A round carries its digest, so that repeating a request cannot double it.
 */
import {
  assayVersion,
  nextBlockResponseSchema,
  type RegisterWorkerRequest,
  registerWorkerResponseSchema,
  renewResponseSchema,
  takenBlockSchema,
  workProtocol,
} from '@assay/model'
import type { Courier } from '@assay/queue'
import { z } from 'zod'
import type { ServerLink, ServerRequest } from './server-link.ts'
import type { BlockReference, Sink } from './sink.ts'

const nothing = z.unknown()

const pathOf = ({ runId, blockId }: BlockReference): string =>
  `/runs/${encodeURIComponent(runId)}/blocks/${encodeURIComponent(blockId)}`

/** Writes over HTTP. Renewing and releasing are tried once: the caller has its own patience. */
export const httpSink = ({ send, once }: ServerLink): Sink => ({
  take: (block, by) =>
    send({
      ...{ method: 'POST', path: `${pathOf(block)}/take`, body: by, answer: takenBlockSchema },
    }),
  renew: (token) =>
    once({
      ...{ method: 'POST', path: '/takes/renew', body: { token }, answer: renewResponseSchema },
    }),
  async putRound(block, request) {
    const path = `${pathOf(block)}/rounds/${request.round.number}`
    await send({ method: 'PUT', path, body: request, answer: nothing })
  },
  async finish(block, request) {
    const path = `${pathOf(block)}/finish`
    await send({ method: 'POST', path, body: request, answer: nothing })
  },
  async release(block, request) {
    const path = `${pathOf(block)}/release`
    await once({ method: 'POST', path, body: request, answer: nothing })
  },
})

const notFromHere = (): never => {
  throw new Error('only the server adds, removes and counts jobs')
}

/** Who asks for blocks; of which build this program tells itself. */
type Asker = Pick<RegisterWorkerRequest, 'name' | 'pool' | 'fingerprint'>

const registering = (asker: Asker) =>
  ({
    method: 'POST',
    path: '/workers',
    body: { ...asker, version: assayVersion, protocol: workProtocol },
    answer: registerWorkerResponseSchema,
  }) as const satisfies ServerRequest<unknown>

/**
 * The consuming half of a courier over HTTP. The worker registers before it first asks, and again
 * whenever the server was away: it may be another one by then. The server ends a delivery when the
 * block is finished or released, so there is nothing to say here. `next` rejects with
 * `worker-version-differs` and where the token does not do.
 */
export const httpCourier = (link: ServerLink, asker: Asker): Courier => {
  let registeredIn: number | null = null
  const ask = async (pool: string, waitMillis: number, signal: AbortSignal | undefined) => {
    if (registeredIn !== link.outages()) {
      const outages = link.outages()
      await link.send(registering(asker), signal)
      registeredIn = outages
    }
    const body = { pool, waitMillis, worker: asker.name }
    return link.send(
      { method: 'POST', path: '/blocks/next', body, answer: nextBlockResponseSchema },
      signal,
    )
  }
  return {
    async next({ pool, waitMillis, signal }) {
      const asked = await ask(pool, waitMillis, signal).catch((error: unknown) => {
        if (signal?.aborted === true || link.isStopped()) return { block: null }
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
  }
}
