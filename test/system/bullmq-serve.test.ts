/**
 * The compiled server with its queue in a real Redis: it measures as it does with its own queue,
 * whatever happens to Redis or to itself on the way.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, runProgressSchema, startRunResponseSchema } from '@assay/model'
import { beforeEach, expect, it, vi } from 'vitest'
import { processesWith } from '../support/launching.ts'
import { askServer, assay, type StartedServer, startServer } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis-server.ts'

const rounds = 8
const blocks = 3
const cells = 2 * blocks

/** Each sample is a fresh process of the engine. */
const campaign = `
compare: { mode: { before: no-mmap, after: mmap-populate } }
datasets: { tiny: { generate: mercurial-like, scale: 0.002 } }
benchmarks: [{ name: hg.command.log, with: { patch: no, limit-rev: [1, 10, 100] } }]
sampling: { rounds: ${rounds}, warmups: 1 }
`

let directory = ''
let redis: RedisServer
let server: StartedServer | null = null
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'assay-redis-serve-'))
  mkdirSync(join(directory, 'campaigns'))
  writeFileSync(join(directory, 'campaigns', 'tiny.yaml'), campaign)
  redis = await startRedis()
  return async () => {
    await server?.stop('SIGKILL')
    server = null
    await redis.remove()
    await vi.waitFor(() => expect(processesWith(directory)).toEqual([]), { timeout: 20_000 })
    rmSync(directory, { recursive: true })
  }
})

const redisUrl = (): string => `redis://127.0.0.1:${redis.port}`

const serve = async (): Promise<void> => {
  const campaigns = join(directory, 'campaigns')
  server = await startServer(directory, { campaigns, worker: true, redis: redisUrl() })
}

const ask = async (path: string, body?: object): Promise<unknown> =>
  (await askServer(server, path, body === undefined ? {} : { body })).json()

const start = async (): Promise<string> =>
  startRunResponseSchema.parse(await ask('/runs', { campaign: 'tiny' })).id

const progress = async (id: string) => runProgressSchema.parse(await ask(`/runs/${id}`))

const measured = (id: string, samples: number): Promise<void> =>
  vi.waitFor(async () => expect((await progress(id)).samples).toBeGreaterThanOrEqual(samples), {
    timeout: 120_000,
    interval: 20,
  })

const completed = async (id: string): Promise<void> => {
  await vi.waitFor(async () => expect((await progress(id)).status).toBe('complete'), {
    timeout: 120_000,
    interval: 50,
  })
  // Nothing is missing, and nothing was kept twice. Warmups are not counted.
  expect((await progress(id)).samples).toBe(cells * rounds)
}

it('a campaign is measured though Redis is emptied, killed and restarted empty on the way', async () => {
  await serve()
  const id = await start()
  await measured(id, 10)
  const active = await redis.with(async (client) => {
    const [key = ''] = await client.keys('*:assay-default:active')
    return client.lrange(key, 0, -1)
  })
  // It stays active while it is measured.
  expect(active).toEqual([`${id}/b1`])
  await redis.with((client) => client.flushall())
  await measured(id, (cells * rounds) / 2)
  await redis.kill()
  // What needs the queue still answers while it is away.
  const second = await start()
  await redis.start({ keepData: false })
  await completed(id)
  await measured(second, 1)
})

it('a server killed with -9 leaves no job behind that its successor would have to wait for', async () => {
  await serve()
  const id = await start()
  await measured(id, 10)
  await server?.stop('SIGKILL')
  await serve()
  await completed(id)
  await vi.waitFor(async () => {
    const left = await redis.with(async (client) => client.keys('*:assay-default:[0-9a-f]*/*'))
    expect(left.filter((key) => !key.endsWith(':lock'))).toEqual([])
  })
})

it('a Redis that is not there ends the server with what to do, and leaves the store free', async () => {
  await redis.kill()
  const serveWith = (url: string, db: string) =>
    assay(directory, 'serve', '--port', '0', '--db', join(directory, db), '--redis', url)
  const [refused, misspelt] = await Promise.all([
    serveWith(redisUrl(), 'assay.db'),
    serveWith('localhost:6379', 'other.db'),
  ])
  expect(refused.exitCode).toBe(exitCodes.unmeasurable)
  expect(refused.stderr).toMatch(
    /^assay serve: Redis at redis:\/\/127\.0\.0\.1:\d+ cannot be reached \(.*ECONNREFUSED.*\): start it, or correct the address; .* \[queue-unreachable\]\n$/,
  )
  expect(misspelt.exitCode).toBe(exitCodes.usage)
  expect(misspelt.stderr).toContain('redis://HOST:PORT')
})
