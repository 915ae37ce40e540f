/** Starts the compiled programs as a person or a supervisor would. Needs a build. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type ExecaError, execa, type Result } from 'execa'

const root = new URL('../..', import.meta.url).pathname

/** Path of the compiled command line. */
export const assayProgram = `${root}apps/cli/dist/main.js`

/** Path of an app's own program. */
export const appProgram = (app: 'api' | 'worker'): string =>
  createRequire(import.meta.url).resolve(`@assay/${app}/main`)

/** What a program printed and how it ended. */
export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | undefined
}

const ended = ({ stdout, stderr, exitCode }: Result<{ reject: false }> | ExecaError): Ended => ({
  stdout: String(stdout),
  stderr: String(stderr),
  exitCode,
})

/** Runs `assay` to its end in a folder; never rejects. */
export const assay = async (directory: string, ...argv: string[]): Promise<Ended> =>
  ended(
    await execa(process.execPath, [assayProgram, ...argv], {
      cwd: directory,
      reject: false,
      stripFinalNewline: false,
    }),
  )

/** Starts a program in a folder and leaves it to the test to stop it. */
export const startProgram = (directory: string, program: string, ...argv: string[]) =>
  execa(process.execPath, [program, ...argv], { cwd: directory, reject: false, buffer: true })

/** A server that listens. */
export interface StartedServer {
  readonly url: string
  /** The first token of its store, of scope `admin`. */
  readonly token: string
  readonly pid: number
  /** How it ended, once it has. */
  readonly ended: Promise<Ended>
  /** Signals the server and waits for its end. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Starts the api's program on a free port, with an embedded worker if asked, until it listens. */
export const startServer = async (
  directory: string,
  options: {
    readonly campaigns: string
    readonly worker: boolean
    readonly redis?: string
    readonly host?: string
  },
): Promise<StartedServer> => {
  const tokenFile = `${directory}/first-token`
  const argv = ['--port', '0', '--db', `${directory}/assay.db`, '--campaigns', options.campaigns]
  argv.push('--token-file', tokenFile)
  if (options.worker) {
    argv.push('--embedded-worker', appProgram('worker'), '--datasets', `${directory}/datasets`)
  }
  if (options.host !== undefined) argv.push('--host', options.host)
  if (options.redis !== undefined) argv.push('--redis', options.redis)
  const child = startProgram(directory, appProgram('api'), ...argv)
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, found] = /served at (http:\S+)\/api\/v1/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
    void child.then((end) => reject(new Error(`the server ended: ${String(end.stderr)}`)))
  })
  return {
    url,
    token: readFileSync(tokenFile, 'utf8').trim(),
    pid: child.pid ?? 0,
    ended: child.then(ended),
    async stop(signal) {
      child.kill(signal)
      await child
    },
  }
}

/** Asks the API of a server with its first token; a body is sent as JSON, by POST. */
export const askServer = (
  server: Pick<StartedServer, 'url' | 'token'> | null,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> =>
  fetch(`${server?.url}/api/v1${path}`, {
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      authorization: `Bearer ${server?.token}`,
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
