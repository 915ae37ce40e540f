/**
 * The worker: a loop that takes one block at a time from a server and measures it on this host. It
 * never opens the store. SIGTERM lets it finish the round in flight and give its block back; a second
 * one, or Ctrl-C, stops it between samples. Finished rounds are saved in any case.
 */
import { hostname, tmpdir } from 'node:os'
import { engines } from '@assay/bench'
import { AssayError, exitCodeOf, failureText } from '@assay/model'
import {
  httpCourier,
  httpSink,
  isRefusedForGood,
  type Listener,
  localDatasets,
  openHost,
  openServerLink,
  work,
} from '@assay/orchestrator'
import pino from 'pino'
import { readConfig, tokenOf, type WorkerConfig } from './config.ts'

/** How long the server may hold a question for work. */
const waitMillis = 20_000

const log = pino({ name: 'assay-worker' }, pino.destination(2))

/** Rounds and steps of a dataset come several times a second; everything else is worth a line. */
const onEvent: Listener = (event) =>
  event.type === 'round-saved' || (event.type === 'dataset' && event.done < event.total)
    ? log.debug(event)
    : log.info(event)

/** What ends the worker: after the round in flight, or between two samples. */
interface Stops {
  readonly drain: AbortSignal
  readonly stop: AbortSignal
}

const openLink = (config: WorkerConfig, stop: AbortSignal) =>
  openServerLink({
    ...{ url: config.server, stop, random: Math.random },
    ...tokenOf(config, process.env['ASSAY_TOKEN']),
    onReach: (isReached, reason = 'it does not answer') =>
      isReached
        ? log.info('the server is back')
        : log.warn({ reason }, 'the server cannot be used; asking on until it can'),
  })

const takeBlocks = async (config: WorkerConfig, { drain, stop }: Stops): Promise<void> => {
  const link = openLink(config, stop)
  const { pool, 'host-lock': hostLock } = config
  const name = config.name ?? `${hostname()} ${process.pid}`
  const [child = null, driver = null] = config.pin?.split('/') ?? []
  const host = await openHost({
    engines,
    scratchRoot: tmpdir(),
    datasetsDirectory: config.datasets,
    worker: name,
    pinning: { child, driver },
    ...(hostLock === undefined ? {} : { hostLockPath: hostLock }),
  })
  const { fingerprint } = host.taker
  log.info({ server: config.server, pool, worker: name }, 'taking blocks')
  const site = {
    ...host,
    sink: httpSink(link),
    datasets: localDatasets(config.datasets, onEvent),
    onEvent,
  }
  const courier = httpCourier(link, { name, pool, fingerprint })
  await work(courier, site, { pool, stop, drain, goOn: () => true, waitMillis })
}

const argv = process.argv.slice(2)

/** Whether whoever started the worker must do something else: its command line, token or version. */
const isMisused = (error: unknown): error is AssayError =>
  isRefusedForGood(error) || (error instanceof AssayError && error.code === 'config-invalid')

const measuringImpossible = (cause: unknown): AssayError =>
  new AssayError({
    code: cause instanceof AssayError ? cause.code : 'measuring-impossible',
    kind: 'unmeasurable',
    message: cause instanceof Error ? cause.message : String(cause),
    cause,
  })

const fail = (error: AssayError): void => {
  process.exitCode = exitCodeOf(error)
  if (argv.includes('--json')) process.stdout.write(failureText(error))
}

const draining = new AbortController()
const stopping = new AbortController()
const stop = (): void => stopping.abort()
const drain = (): void => {
  if (draining.signal.aborted) stop()
  else log.info('finishing the round in flight (again: stopping at once)')
  draining.abort()
}
process.on('SIGTERM', drain)
process.on('SIGINT', stop)
// Whoever started this process with a channel wants it to end with them.
process.on('disconnect', stop)
if (process.connected === false) stop()

try {
  const stops = { drain: draining.signal, stop: stopping.signal }
  await takeBlocks(readConfig(argv), stops)
} catch (error) {
  if (stopping.signal.aborted) {
    // Told to stop, it may find the server gone: the block's lease runs out there.
    log.warn(error, 'stopped')
  } else if (isMisused(error)) {
    process.stderr.write(`assay worker: ${error.message} [${error.code}]\n`)
    fail(error)
  } else {
    log.error(error, 'ending: measuring is not possible here')
    fail(measuringImpossible(error))
  }
}
if (process.connected) process.disconnect()
