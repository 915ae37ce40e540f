/**
 * The worker: a loop that takes one block at a time from a server and measures it on this host. It
 * never opens the store. SIGTERM and Ctrl-C stop it between samples; finished rounds are saved.
 */
import { mkdir } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { engines } from '@assay/bench'
import { httpCourier, httpSink, localDatasets, openHost, work } from '@assay/orchestrator'
import pino from 'pino'
import { readConfig } from './config.ts'

/** How long the server may hold a question for work. */
const waitMillis = 20_000

const config = readConfig(process.argv.slice(2))
const log = pino({ name: 'assay-worker' }, pino.destination(2))
const stopping = new AbortController()
const stop = (): void => stopping.abort()
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
// Whoever started this process with a channel wants it to end with them.
process.on('disconnect', stop)
if (process.connected === false) stop()

const address = { url: config.server, stop: stopping.signal }
const onEvent = (event: object): void => log.info(event)
await mkdir(config.datasets, { recursive: true })
const hostLock = config['host-lock']
const host = await openHost({
  engines,
  scratchRoot: tmpdir(),
  worker: config.name ?? `${hostname()} ${process.pid}`,
  ...(hostLock === undefined ? {} : { hostLockPath: hostLock }),
})
log.info({ server: config.server, pool: config.pool }, 'taking blocks')
const site = {
  ...host,
  sink: httpSink(address),
  datasets: localDatasets(config.datasets, onEvent),
  onEvent,
}
const options = { pool: config.pool, stop: stopping.signal, goOn: () => true, waitMillis }
try {
  await work(httpCourier(address), site, options)
} catch (error) {
  if (!stopping.signal.aborted) {
    log.error(error, 'ending: measuring is not possible here')
    process.exitCode = 3
  }
}
if (process.connected) process.disconnect()
