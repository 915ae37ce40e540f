/** The server: opens the store as its one writer, takes up what a former process left, listens. */
import { randomBytes, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { catalogue } from '@assay/bench'
import { AssayError, exitCodeOf } from '@assay/model'
import { reconcile, resumeRun } from '@assay/orchestrator'
import { openEmbeddedCourier } from '@assay/queue'
import { openStore } from '@assay/store'
import pino from 'pino'
import { buildApp } from './app.ts'
import { type ApiConfig, readConfig } from './config.ts'
import { openDeliveries } from './deliveries.ts'
import { startEmbeddedWorker } from './embedded-worker.ts'

/** How often the queue is brought back in line with the store. */
const reconcileEveryMillis = 5_000

const serve = async (config: ApiConfig): Promise<void> => {
  const log = pino({ name: 'assay-api' }, pino.destination(2))
  const store = openStore({ path: config.db, access: 'write', now: Date.now })
  const courier = openEmbeddedCourier({ store })
  const site = {
    ...{ store, courier, catalogue, now: Date.now, deliveries: openDeliveries() },
    newId: () => randomBytes(5).toString('hex'),
    newToken: randomUUID,
    campaignsDirectory: resolve(config.campaigns),
  }
  // Whoever held a block of a former process must take it again; its saved rounds stay.
  for (const { id } of store.runs.openRuns()) await resumeRun(id, site)
  const app = await buildApp(site, log)
  const url = await app.listen({ host: '127.0.0.1', port: config.port })
  process.stdout.write(`assay is served at ${url}/api/v1 (store ${config.db})\n`)
  const timer = setInterval(
    () => void reconcile(site).catch((error: unknown) => log.error(error)),
    reconcileEveryMillis,
  )
  const program = config['embedded-worker']
  const { datasets } = config
  const worker =
    program === undefined ? null : startEmbeddedWorker({ program, server: url, datasets })
  worker?.on('exit', (code) => log.warn({ code }, 'the embedded worker ended'))
  const close = async (): Promise<void> => {
    clearInterval(timer)
    if (worker !== null && worker.exitCode === null) {
      // It gives its block back, for which the server must still listen.
      const ended = new Promise((done) => worker.once('exit', done))
      worker.kill('SIGTERM')
      await ended
    }
    await courier.close()
    await app.close()
    store.close()
  }
  let isClosing = false
  const closeOnce = (): void => {
    if (isClosing) return
    isClosing = true
    void close()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(signal, closeOnce)
}

try {
  await serve(readConfig(process.argv.slice(2)))
} catch (error) {
  const text = error instanceof AssayError ? `${error.message} [${error.code}]` : String(error)
  process.stderr.write(`assay serve: ${text}\n`)
  process.exitCode = exitCodeOf(error)
}
