/**
 * The queue over Redis under fire: Redis is emptied, killed, restarted with its file and without,
 * full, frozen or absent; consumers are many, or killed. Nothing is lost that the store holds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AssayError } from '@assay/model'
import { reconcile } from '@assay/orchestrator'
import {
  type BullmqCourierOptions,
  type Courier,
  defaultPool,
  type Job,
  openBullmqCourier,
} from '@assay/queue'
import { openStore } from '@assay/store'
import { execa } from 'execa'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type RedisServer, startRedis } from '../support/redis-server.ts'
import { blockOf, planOf, runOf, storePath, yaml } from '../unit/store/example-run.ts'

const prefix = 'test'
/** Longer than any test may take. */
const forever = 300_000
/** A worker that is late by less than this is not counted as dead; short, so that tests are quick. */
const leaseMillis = 600
const answerMillis = 1_500

let redis: RedisServer
const opened: Courier[] = []
beforeEach(async () => {
  redis = await startRedis()
  return async () => {
    await Promise.all(opened.splice(0).map((courier) => courier.close()))
    await redis.remove()
  }
})

const open = async (options: Partial<BullmqCourierOptions> = {}): Promise<Courier> => {
  const courier = await openBullmqCourier({
    ...{ url: redis.url, prefix, answerMillis },
    ...options,
  })
  opened.push(courier)
  return courier
}

const jobs = (count: number): Job[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ runId: 'run-1', blockId: `b${index + 1}`, pool: defaultPool, priority: 0 },
  }))

const look = (courier: Courier) => courier.next({ pool: defaultPool, waitMillis: 0 })
const wait = (courier: Courier) => courier.next({ pool: defaultPool, waitMillis: forever })

const drain = async (courier: Courier): Promise<string[]> => {
  const delivery = await look(courier)
  return delivery === null ? [] : [delivery.blockId, ...(await drain(courier))]
}

const code = (wanted: string) => expect.objectContaining({ code: wanted })

/** A store with a run of five blocks, all queued. */
const storeOfFive = () => {
  const store = openStore({ path: storePath(), access: 'write', now: Date.now })
  onTestFinished(() => store.close())
  store.campaigns.save({ name: 'mmap', yaml })
  const blocks = ['b1', 'b2', 'b3', 'b4', 'b5'].map((id) => blockOf(id, [null, null]))
  store.runs.create({ run: runOf('run-1'), plan: planOf(blocks) })
  return store
}

describe('a Redis that loses its memory', () => {
  it('FLUSHALL loses nothing after one reconciliation, and old deliveries end in nothing', async () => {
    const [store, courier] = [storeOfFive(), await open()]
    await reconcile({ store, courier })
    const old = await look(courier)
    expect(await courier.depth()).toBe(4)
    await redis.with((client) => client.flushall())
    expect(await courier.depth()).toBe(0)
    const waiting = wait(courier)
    await old?.done()
    await reconcile({ store, courier })
    await reconcile({ store, courier })
    const names = [(await waiting)?.blockId, ...(await drain(courier))]
    expect(names).toEqual(['b1', 'b2', 'b3', 'b4', 'b5'])
    await old?.giveBack()
    expect(await look(courier)).toBeNull()
  })

  it('killed with -9 it has every job again from its append-only file', async () => {
    const courier = await open({ isHeld: () => true })
    await courier.add(jobs(20))
    const held = await look(courier)
    await sleep(1_100) // appendfsync everysec
    await redis.kill()
    await redis.start()
    expect(await courier.depth()).toBe(19)
    await held?.done()
    expect(await drain(courier)).toEqual(
      jobs(20)
        .slice(1)
        .map(({ blockId }) => blockId),
    )
  })

  it('restarted empty, it serves those who waited all along with what is added again', async () => {
    const troubles: AssayError[] = []
    const [store, courier] = [
      storeOfFive(),
      await open({ onTrouble: (trouble) => troubles.push(trouble) }),
    ]
    const waiting = wait(courier)
    await redis.kill()
    await expect(reconcile({ store, courier })).rejects.toEqual(code('queue-unreachable'))
    await redis.start({ keepData: false })
    await vi.waitFor(() => reconcile({ store, courier }), { timeout: 30_000 })
    expect([(await waiting)?.blockId, ...(await drain(courier))]).toEqual([
      ...['b1', 'b2', 'b3', 'b4', 'b5'],
    ])
    expect(troubles).toEqual([code('queue-unreachable')])
  })

  it('frozen for longer than a lease it goes on where it was', async () => {
    const courier = await open({ leaseMillis, isHeld: () => true })
    await courier.add(jobs(2))
    const held = await look(courier)
    redis.freeze()
    const late = look(courier)
    await sleep(2 * leaseMillis)
    redis.thaw()
    expect((await late)?.blockId).toBe('b2')
    // The lock may have run out meanwhile: then it is delivered once more, and must be refused.
    await held?.done()
    await held?.done()
    const again = await courier.next({ pool: defaultPool, waitMillis: 3 * leaseMillis })
    expect([null, 'b1']).toContain(again?.blockId ?? null)
  })
})

describe('consumers over Redis', () => {
  it('two couriers with four consumers each never hold one job at once, and finish all', async () => {
    const couriers = [await open(), await open()]
    const held = new Set<string>()
    const done: string[] = []
    const gaveBack = new Set<string>()
    const consume = async (courier: Courier): Promise<void> => {
      for (;;) {
        const delivery = await courier.next({ pool: defaultPool, waitMillis: 1_000 })
        if (delivery === null) return
        const { blockId } = delivery
        expect(held.has(blockId)).toBe(false)
        held.add(blockId)
        await sleep(2)
        held.delete(blockId)
        const isFirst = !gaveBack.has(blockId) && Number(blockId.slice(1)) % 3 === 0
        if (isFirst) {
          gaveBack.add(blockId)
          await delivery.giveBack()
        } else {
          done.push(blockId)
          await delivery.done()
        }
      }
    }
    const consumers = couriers.flatMap((courier) => [1, 2, 3, 4].map(() => consume(courier)))
    const all = jobs(200)
    await Promise.all(all.map((job) => couriers[0]?.add([job, job])))
    await Promise.all(consumers)
    expect(done.toSorted()).toEqual(all.map(({ blockId }) => blockId).toSorted())
    expect(await couriers[1]?.depth()).toBe(0)
  })

  it('a job stays with a live process for many leases, and comes back when it is killed', async () => {
    const courier = await open({ leaseMillis })
    const program = new URL('../support/bullmq-consumer.mjs', import.meta.url).pathname
    const child = execa('node', [program, redis.url, prefix, String(leaseMillis)], {
      reject: false,
      buffer: false,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const said = new Promise((resolve) => child.stdout.once('data', (bytes) => resolve(`${bytes}`)))
    await courier.add(jobs(1))
    expect(await said).toBe('b1\n')
    const early = await courier.next({ pool: defaultPool, waitMillis: 4 * leaseMillis })
    expect(early).toBeNull()
    child.kill('SIGKILL')
    expect((await wait(courier))?.blockId).toBe('b1')
  })

  it('a job that nobody holds any more is given back at once', async () => {
    let isHeld = true
    const courier = await open({ leaseMillis, isHeld: () => isHeld })
    await courier.add(jobs(1))
    const lost = await look(courier)
    expect(await courier.next({ pool: defaultPool, waitMillis: 3 * leaseMillis })).toBeNull()
    isHeld = false
    const again = await wait(courier)
    expect(again?.blockId).toBe('b1')
    await lost?.done()
    expect(await courier.depth()).toBe(0)
    await again?.giveBack()
    expect(await courier.depth()).toBe(1)
  })

  it('closing gives back what was delivered, and frees who waits', async () => {
    const [first, second] = [await open(), await open()]
    await first.add(jobs(1))
    await look(first)
    const [waitingThere, waitingHere] = [wait(second), wait(first)]
    await first.close()
    expect(await waitingHere).toBeNull()
    expect((await waitingThere)?.blockId).toBe('b1')
  })

  it('a run can be forgotten though another process holds its blocks', async () => {
    const another = { runId: 'run-10', blockId: 'other', pool: defaultPool, priority: 0 }
    const [first, second] = [await open(), await open()]
    await first.add([...jobs(50), another])
    const held = [await look(first), await look(first), await look(first)]
    await second.remove('run-1')
    for (const delivery of held) await delivery?.giveBack()
    expect(await drain(first)).toEqual(['other'])
    await second.add(jobs(1))
    expect((await look(second))?.blockId).toBe('b1')
  })

  it('any names of runs, blocks and pools come through, and jobs that are not ours do not', async () => {
    const courier = await open()
    const names = ['0', '7', 'a:b', 'a/b', '%2F', 'ä {x}', '..', 'a b']
    for (const name of names) {
      const job = { runId: name, blockId: name, pool: `pool ${name}`, priority: -1 }
      await courier.add([job, { ...job, priority: 1e9, blockId: `${name}2` }])
      const request = { pool: job.pool, waitMillis: 0 }
      expect(await courier.next(request)).toMatchObject({ runId: name, blockId: name })
      await courier.remove(name)
      expect(await courier.next(request)).toBeNull()
    }
    const key = 'test:assay-default'
    await redis.with((client) =>
      client.multi().hset(`${key}:foreign`, 'data', '{}').lpush(`${key}:wait`, 'foreign').exec(),
    )
    await courier.add(jobs(1))
    expect((await look(courier))?.blockId).toBe('b1')
    expect(await courier.depth()).toBe(0)
  })
})

describe('a Redis that cannot or will not', () => {
  it('is refused with its address but not its password, if nothing listens there', async () => {
    const url = `redis://somebody:secret@127.0.0.1:${redis.port}/3`
    await redis.kill()
    const failed = openBullmqCourier({ url, answerMillis })
    await expect(failed).rejects.toEqual(code('queue-unreachable'))
    const message = await failed.catch(String)
    expect(message).toContain(`redis://127.0.0.1:${redis.port}/3`)
    expect(message).toContain('ECONNREFUSED')
    // A name may have several addresses, all of which refuse.
    const named = openBullmqCourier({ url: `redis://localhost:${redis.port}`, answerMillis })
    await expect(named).rejects.toEqual(code('queue-unreachable'))
    expect(await named.catch(String)).toContain('ECONNREFUSED')
    expect(message).not.toContain('secret')
    await expect(openBullmqCourier({ url: 'http://x' })).rejects.toEqual(
      code('queue-address-invalid'),
    )
  })

  it('is refused if it wants a password', async () => {
    await redis.with((client) => client.config('SET', 'requirepass', 'secret'))
    const failed = openBullmqCourier({ url: `redis://127.0.0.1:${redis.port}`, answerMillis })
    await expect(failed).rejects.toEqual(code('queue-refused'))
    const courier = await open({ url: `redis://:secret@127.0.0.1:${redis.port}/0` })
    expect(await courier.depth()).toBe(0)
  })

  it('is told of if it may throw jobs away', async () => {
    await redis.with((client) => client.config('SET', 'maxmemory-policy', 'allkeys-lru'))
    const onTrouble = vi.fn()
    await open({ onTrouble })
    expect(onTrouble.mock.calls).toEqual([[code('queue-unsuitable')]])
  })

  it('refuses when its memory is full, and goes on when it has some again', async () => {
    const onTrouble = vi.fn()
    const courier = await open({ onTrouble })
    await courier.add(jobs(1))
    await redis.with((client) => client.config('SET', 'maxmemory', '1'))
    await expect(courier.add(jobs(2))).rejects.toEqual(code('queue-refused'))
    await expect(look(courier)).rejects.toEqual(code('queue-refused'))
    await redis.with((client) => client.config('SET', 'maxmemory', '0'))
    expect((await look(courier))?.blockId).toBe('b1')
  })

  it('holds up neither a wait with an end nor closing while it is away', async () => {
    const courier = await open({ isHeld: () => true })
    await courier.add(jobs(2))
    await look(courier)
    await redis.kill()
    expect(await courier.next({ pool: defaultPool, waitMillis: 50 })).toBeNull()
    expect(await look(courier)).toBeNull()
    await expect(courier.depth()).rejects.toEqual(code('queue-unreachable'))
    await courier.close()
    expect(await look(courier)).toBeNull()
  })
})
