/** The server's program: command line in, log and exit code out, signals. */
import { AssayError, exitCodeOf, failureText } from '@assay/model'
import pino from 'pino'
import { readConfig } from './config.ts'
import type { FirstToken } from './first-token.ts'
import { type Server, serve } from './serve.ts'

const argv = process.argv.slice(2)

const fail = (error: unknown): void => {
  const text =
    error instanceof AssayError
      ? `${error.message} [${error.code}]`
      : `internal error: ${error instanceof Error ? error.stack : String(error)}`
  process.stderr.write(`assay serve: ${text}\n`)
  if (argv.includes('--json')) process.stdout.write(failureText(error))
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

const out = (text: string): void => void process.stdout.write(`${text}\n`)

/** What whoever starts the server is told. */
const voices = {
  text: {
    onFirstToken: (first: FirstToken) =>
      'file' in first
        ? out(`the first token, of scope admin, is in ${first.file}`)
        : out(`the first token, of scope admin; it is shown only now: ${first.token}`),
    onListening: (url: string, store: string) =>
      out(`assay is served at ${url}/api/v1 (store ${store})`),
  },
  json: {
    onFirstToken: (first: FirstToken) => out(JSON.stringify({ firstToken: first })),
    onListening: (url: string, store: string) =>
      out(JSON.stringify({ listening: { url: `${url}/api/v1`, store } })),
  },
} as const

const told = toldToStop()
try {
  const config = readConfig(argv)
  const voice = voices[config.json ? 'json' : 'text']
  const log = pino({ name: 'assay-api' }, pino.destination(2))
  const server = await serve(config, { log, onFirstToken: voice.onFirstToken })
  closeWhenTold(server, told)
  voice.onListening(server.url, config.db)
} catch (error) {
  fail(error)
  if (process.connected) process.disconnect()
}
