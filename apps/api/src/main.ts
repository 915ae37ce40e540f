/** The server's program: command line in, log and exit code out, signals. */
import { AssayError, exitCodeOf } from '@assay/model'
import pino from 'pino'
import { readConfig } from './config.ts'
import { type Server, serve } from './serve.ts'

const fail = (error: unknown): void => {
  const text =
    error instanceof AssayError
      ? `${error.message} [${error.code}]`
      : `internal error: ${error instanceof Error ? error.stack : String(error)}`
  process.stderr.write(`assay serve: ${text}\n`)
  process.exitCode = exitCodeOf(error)
}

/** Aborts at the first signal, or with whoever started this process with a channel. */
const toldToStop = (): AbortSignal => {
  const told = new AbortController()
  const stop = (): void => told.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(signal, stop)
  if (process.connected === false) stop()
  return told.signal
}

/** Ends `server` when told to, also where that came before it listened. */
const closeWhenTold = (server: Server, told: AbortSignal): void => {
  const close = (): void => {
    server
      .close()
      .catch(fail)
      // The open channel would keep this process running.
      .finally(() => process.connected && process.disconnect())
  }
  if (told.aborted) close()
  else told.addEventListener('abort', close)
}

const told = toldToStop()
try {
  const config = readConfig(process.argv.slice(2))
  const log = pino({ name: 'assay-api' }, pino.destination(2))
  const server = await serve(config, { log, out: (text) => void process.stdout.write(text) })
  closeWhenTold(server, told)
  process.stdout.write(`assay is served at ${server.url}/api/v1 (store ${config.db})\n`)
} catch (error) {
  fail(error)
  if (process.connected) process.disconnect()
}
