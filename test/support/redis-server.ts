/**
 * A real redis-server of a test's own: on a unix socket in a temporary folder, with an append-only
 * file, started, killed and started again as the test likes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { Redis } from 'ioredis'

/** A running server. */
export interface RedisServer {
  /** The path of its socket. */
  readonly url: string
  /** The same server over TCP. */
  readonly port: number
  /** Ends it without a word. */
  kill(): Promise<void>
  /** Starts it anew, with what its append-only file kept, or without. */
  start(options?: { readonly keepData: boolean }): Promise<void>
  /** Stops it in the middle of whatever it does, as a network does that swallows everything. */
  freeze(): void
  thaw(): void
  /** Does something with a connection of its own. */
  with<Result>(use: (client: Redis) => Promise<Result>): Promise<Result>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

const missing =
  'the tests of the queue over Redis need redis-server. Type:\n\n  sudo apt-get install redis-server\n'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const portFrom = 20_000
const ports = 40_000

const run = (directory: string, port: number) =>
  execa(
    'redis-server',
    [
      ...['--unixsocket', join(directory, 'redis.sock'), '--dir', directory],
      ...['--bind', '127.0.0.1', '--port', String(port)],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
      ...['--maxmemory-policy', 'noeviction'],
    ],
    { reject: false, cleanup: true },
  )

/** Starts one. Rejects with the line to type if the program is not installed. */
export const startRedis = async (): Promise<RedisServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-redis-'))
  const url = join(directory, 'redis.sock')
  const data = join(directory, 'appendonlydir')
  // Below the range from which the system hands out ports; a server that finds it taken ends.
  const port = portFrom + (process.pid % ports)
  let server: ReturnType<typeof run> | null = null

  const connected = async <Result>(use: (client: Redis) => Promise<Result>): Promise<Result> => {
    const client = new Redis(url, { retryStrategy: () => 20 })
    client.on('error', () => undefined)
    try {
      return await use(client)
    } finally {
      client.disconnect()
    }
  }

  const start = async ({ keepData } = { keepData: true }): Promise<void> => {
    if (!keepData) rmSync(data, { recursive: true, force: true })
    const started = run(directory, port)
    server = started
    const early = started.then((end) => {
      if (isMissing(end.cause)) throw new Error(missing)
      throw new Error(`redis-server ended: ${end.stdout}`)
    })
    early.catch(() => undefined)
    await Promise.race([connected((client) => client.ping()), early])
  }

  const kill = async (): Promise<void> => {
    server?.kill('SIGKILL')
    await server
  }

  await start()
  return {
    ...{ url, port, start, kill, with: connected },
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    remove: async () => {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
