/**
 * The worker: a loop that takes one block at a time from a server and measures it on this host. It
 * never opens the store. SIGTERM and Ctrl-C stop it between samples; finished rounds are saved.
 */
import { hostname, tmpdir } from 'node:os'
import { engines } from '@assay/bench'
import {
  httpCourier,
  httpSink,
  isAccessRefused,
  type Listener,
  localDatasets,
  openHost,
  work,
} from '@assay/orchestrator'
import pino from 'pino'
import { ConfigError, readConfig, tokenOf, type WorkerConfig } from './config.ts'

/** How long the server may hold a question for work. */
const waitMillis = 20_000

const log = pino({ name: 'assay-worker' }, pino.destination(2))

/** Rounds and steps of a dataset come several times a second; everything else is worth a line. */
const onEvent: Listener = (event) =>
  event.type === 'round-saved' || (event.type === 'dataset' && event.done < event.total)
    ? log.debug(event)
    : log.info(event)

const takeBlocks = async (config: WorkerConfig, stop: AbortSignal): Promise<void> => {
  const token = tokenOf(config, process.env['ASSAY_TOKEN'])
  const address = { url: config.server, ...token, stop }
  const hostLock = config['host-lock']
  const [child = null, driver = null] = config.pin?.split('/') ?? []
  const host = await openHost({
    engines,
    scratchRoot: tmpdir(),
    datasetsDirectory: config.datasets,
    worker: config.name ?? `${hostname()} ${process.pid}`,
    pinning: { child, driver },
    ...(hostLock === undefined ? {} : { hostLockPath: hostLock }),
  })
  log.info({ server: config.server, pool: config.pool }, 'taking blocks')
  const site = {
    ...host,
    sink: httpSink(address),
    datasets: localDatasets(config.datasets, onEvent),
    onEvent,
  }
  const options = { pool: config.pool, stop, goOn: () => true, waitMillis }
  await work(httpCourier(address), site, options)
}

const stopping = new AbortController()
const stop = (): void => stopping.abort()
// Whoever started this process with a channel wants it to end with them.
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(signal, stop)
if (process.connected === false) stop()

try {
  await takeBlocks(readConfig(process.argv.slice(2)), stopping.signal)
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`assay worker: ${error.message}\n`)
    process.exitCode = 2
  } else if (stopping.signal.aborted) {
    // Told to stop, it may find the server gone: the block's lease runs out there.
    log.warn(error, 'stopped')
  } else if (isAccessRefused(error)) {
    process.stderr.write(`assay worker: ${error.message} [${error.code}]\n`)
    process.exitCode = 2
  } else {
    log.error(error, 'ending: measuring is not possible here')
    process.exitCode = 3
  }
}
if (process.connected) process.disconnect()
