/** Serves a store until told to stop: opens it as its one writer, takes up what was left, listens. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { catalogue } from '@assay/bench'
import { newTokenText, tokenHashOf } from '@assay/model'
import { continueGates, reconcile, resumeRun } from '@assay/orchestrator'
import { openStore } from '@assay/store'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { ApiConfig } from './config.ts'
import { openDeliveries } from './deliveries.ts'
import { type KeptWorker, keepWorker, requeueBlocksOf } from './embedded-worker.ts'
import { hostUnusable, portBusy } from './errors.ts'
import { type FirstToken, makeFirstToken } from './first-token.ts'
import { isLoopback } from './guard.ts'
import { openCourier } from './open-courier.ts'
import type { Api } from './route.ts'
import type { ApiSite } from './site.ts'
import { steadyClock } from './steady-clock.ts'

/** How often the queue is brought back in line with the store. */
const reconcileEveryMillis = 5_000

/** How often gates whose runs are over are brought on: somebody waits for what they decide. */
const gatesEveryMillis = 1_000

/** How long a client may take to read its last answer once the server ends. */
const lastAnswerMillis = 3_000

/** A server that listens. */
export interface Server {
  readonly url: string
  /** Lets the worker give its block back, answers who waits, closes the store. */
  close(): Promise<void>
}

/** Where a server tells what it does. */
export interface Voice {
  readonly log: Logger
  /** Hands the first token of a store to whoever starts the server. */
  readonly onFirstToken: (first: FirstToken) => void
}

const openSite = async (config: ApiConfig, log: Logger, workerToken: string): Promise<ApiSite> => {
  const now = steadyClock(Date.now, () => performance.now())
  const store = openStore({ path: config.db, access: 'write', now })
  const courier = await openCourier(config, store, log).catch((error: unknown) => {
    store.close()
    throw error
  })
  return {
    ...{ store, courier, catalogue, now: Date.now, deliveries: openDeliveries() },
    newId: () => randomBytes(5).toString('hex'),
    newToken: randomUUID,
    randomBelow: randomInt,
    workerTokenHash: tokenHashOf(workerToken),
    isPublic: !isLoopback(config.host),
    leaseMillis: config['lease-millis'],
    campaignsDirectory: resolve(config.campaigns),
  }
}

const listen = async (app: Api, { host, port }: ApiConfig): Promise<string> => {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'EADDRINUSE') throw portBusy(host, port)
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
      throw hostUnusable(host, error.code)
    }
    throw error
  }
}

const startWorkerOf = (
  { 'embedded-worker': program, datasets }: ApiConfig,
  server: string,
  { site, log, token }: { readonly site: ApiSite; readonly log: Logger; readonly token: string },
): KeptWorker | null => {
  if (program === undefined) return null
  const name = `${hostname()}, embedded in server ${process.pid}`
  const onEnd = (how: string): void => {
    log.warn({ how }, 'the embedded worker ended; it is started again')
    requeueBlocksOf(name, site).catch((error: unknown) => log.error(error))
  }
  return keepWorker({ program, server, token, datasets, name, onEnd })
}

const closeApp = async (app: Api): Promise<void> => {
  const timer = setTimeout(() => app.server.closeAllConnections(), lastAnswerMillis)
  await app.close()
  clearTimeout(timer)
}

const every = (millis: number, work: () => Promise<void>, log: Logger): NodeJS.Timeout =>
  setInterval(() => void work().catch((error: unknown) => log.error(error)), millis)

/**
 * Opens and listens. Errors: those of `openStore` and `openCourier`, `port-busy`, `host-unusable`,
 * `token-file-unusable`.
 */
export const serve = async (config: ApiConfig, { log, onFirstToken }: Voice): Promise<Server> => {
  // It is kept nowhere: with this process it is worth nothing any more.
  const token = newTokenText(randomInt)
  const site = await openSite(config, log, token)
  const { store, courier } = site
  // Whoever held a block of a former process must take it again; its saved rounds stay.
  for (const { id } of store.runs.openRuns()) await resumeRun(id, site)
  const app = await buildApp(site, log)
  const url = await listen(app, config)
  const closeRest = async (): Promise<void> => {
    await courier.close()
    await closeApp(app)
    store.close()
  }
  try {
    makeFirstToken(config, onFirstToken, site)
  } catch (error) {
    await closeRest()
    throw error
  }
  const timers = [
    every(reconcileEveryMillis, () => reconcile(site), log),
    every(gatesEveryMillis, () => continueGates(site), log),
  ]
  const worker = startWorkerOf(config, url, { site, log, token })
  return {
    url,
    async close() {
      for (const timer of timers) clearInterval(timer)
      // It gives its block back, for which the server must still listen.
      await worker?.close()
      await closeRest()
    },
  }
}
