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

/** Ends `server` at the first signal, or with whoever started this process with a channel. */
const closeWhenTold = (server: Server): void => {
  let isClosing = false
  const close = (): void => {
    if (isClosing) return
    isClosing = true
    server
      .close()
      .catch(fail)
      // The open channel would keep this process running.
      .finally(() => process.connected && process.disconnect())
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(signal, close)
  if (process.connected === false) close()
}

try {
  const config = readConfig(process.argv.slice(2))
  const log = pino({ name: 'assay-api' }, pino.destination(2))
  const server = await serve(config, { log, out: (text) => void process.stdout.write(text) })
  closeWhenTold(server)
  process.stdout.write(`assay is served at ${server.url}/api/v1 (store ${config.db})\n`)
} catch (error) {
  fail(error)
}
