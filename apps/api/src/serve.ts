/** Serves a store until told to stop: opens it as its one writer, takes up what was left, listens. */
import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { catalogue } from '@assay/bench'
import { reconcile, resumeRun } from '@assay/orchestrator'
import { openStore } from '@assay/store'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { ApiConfig } from './config.ts'
import { openDeliveries } from './deliveries.ts'
import { type KeptWorker, keepWorker, requeueBlocksOf } from './embedded-worker.ts'
import { portBusy } from './errors.ts'
import { openCourier } from './open-courier.ts'
import type { Api } from './route.ts'
import type { ApiSite } from './site.ts'

/** How often the queue is brought back in line with the store. */
const reconcileEveryMillis = 5_000

/** How long a client may take to read its last answer once the server ends. */
const lastAnswerMillis = 3_000

/** A server that listens. */
export interface Server {
  readonly url: string
  /** Lets the worker give its block back, answers who waits, closes the store. */
  close(): Promise<void>
}

const openSite = async (config: ApiConfig, log: Logger): Promise<ApiSite> => {
  const store = openStore({ path: config.db, access: 'write', now: Date.now })
  const courier = await openCourier(config, store, log).catch((error: unknown) => {
    store.close()
    throw error
  })
  return {
    ...{ store, courier, catalogue, now: Date.now, deliveries: openDeliveries() },
    newId: () => randomBytes(5).toString('hex'),
    newToken: randomUUID,
    campaignsDirectory: resolve(config.campaigns),
  }
}

const listen = async (app: Api, port: number): Promise<string> => {
  try {
    return await app.listen({ host: '127.0.0.1', port })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw portBusy(port)
    }
    throw error
  }
}

const startWorkerOf = (
  { 'embedded-worker': program, datasets }: ApiConfig,
  server: string,
  { site, log }: { readonly site: ApiSite; readonly log: Logger },
): KeptWorker | null => {
  if (program === undefined) return null
  const name = `${hostname()}, embedded in server ${process.pid}`
  const onEnd = (how: string): void => {
    log.warn({ how }, 'the embedded worker ended; it is started again')
    requeueBlocksOf(name, site).catch((error: unknown) => log.error(error))
  }
  return keepWorker({ program, server, datasets, name, onEnd })
}

const closeApp = async (app: Api): Promise<void> => {
  const timer = setTimeout(() => app.server.closeAllConnections(), lastAnswerMillis)
  await app.close()
  clearTimeout(timer)
}

/** Opens and listens. Errors: those of `openStore` and `openCourier`, `port-busy`. */
export const serve = async (config: ApiConfig, log: Logger): Promise<Server> => {
  const site = await openSite(config, log)
  const { store, courier } = site
  // Whoever held a block of a former process must take it again; its saved rounds stay.
  for (const { id } of store.runs.openRuns()) await resumeRun(id, site)
  const app = await buildApp(site, log)
  const url = await listen(app, config.port)
  const timer = setInterval(() => {
    reconcile(site).catch((error: unknown) => log.error(error))
  }, reconcileEveryMillis)
  const worker = startWorkerOf(config, url, { site, log })
  return {
    url,
    async close() {
      clearInterval(timer)
      // It gives its block back, for which the server must still listen.
      await worker?.close()
      await courier.close()
      await closeApp(app)
      store.close()
    },
  }
}
