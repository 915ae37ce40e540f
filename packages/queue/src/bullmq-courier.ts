/**
 * The courier over Redis: one BullMQ queue per pool, so that several processes can look at one queue
 * with the tools that exist for it. It is trusted no more than the embedded one: Redis may be
 * emptied or restarted at any time, and what the store holds queued is added again.
 *
 * Redis should keep an append-only file (`appendonly yes`) and must not throw keys away
 * (`maxmemory-policy noeviction`); a waiting job takes some 300 bytes.
 */
import type { AssayError } from '@assay/model'
import { Queue } from 'bullmq'
import { type Consumer, openConsumer } from './bullmq-consumer.ts'
import { type BlockNames, bulkJobOf, idPrefixOf, queueNameOf, unlessOver } from './bullmq-job.ts'
import type { Courier, Job } from './courier.ts'
import { openRedisLink, type RedisLink } from './redis-link.ts'

/** How long a delivery that nobody holds stays one: BullMQ's default `lockDuration`. */
const defaultLeaseMillis = 30_000

/** A Redis in the same building answers within a millisecond; one that restarts within seconds. */
const defaultAnswerMillis = 5_000

/** States of a job that waits. With priorities of 1 and more, `wait` holds those that stalled. */
const waitingStates = ['wait', 'prioritized', 'delayed'] as const

/** How a BullMQ courier is opened. */
export interface BullmqCourierOptions {
  /** `redis://`, `rediss://`, with credentials and database if need be, or a socket's path. */
  readonly url: string
  /** What all keys begin with: two stores on one Redis need two. `assay` if not said. */
  readonly prefix?: string
  /** How long a delivery lasts that `isHeld` does not claim; 30 s if not said. */
  readonly leaseMillis?: number
  /**
   * Whether somebody is at work on a delivered block. Asked three times per lease: its lease is
   * renewed while this says yes, and the job is given back when it no longer does. Never, if not
   * said: every delivery then ends with its lease.
   */
  readonly isHeld?: (block: BlockNames) => boolean
  /** How long Redis may take to answer before it counts as unreachable; 5 s if not said. */
  readonly answerMillis?: number
  /**
   * Told once of each outage, and of what Redis refuses or may lose. Outages are waited out: who
   * waits for a job goes on waiting, everything else rejects with `queue-unreachable` after a while.
   */
  readonly onTrouble?: (trouble: AssayError) => void
}

interface Pool {
  readonly queue: Queue
  /** Opened for the first who waits. */
  consumer: Consumer | null
}

interface Office extends Required<BullmqCourierOptions> {
  readonly link: RedisLink
  readonly pools: Map<string, Pool>
  /** The set of the names of all pools, kept in Redis. */
  readonly poolsKey: string
}

const poolOf = ({ link, pools, prefix }: Office, pool: string): Pool => {
  const known = pools.get(pool)
  if (known !== undefined) return known
  const queue = new Queue(queueNameOf(pool), {
    connection: link.client,
    prefix,
    skipVersionCheck: true,
  })
  queue.on('error', link.report)
  const opened = { queue, consumer: null }
  pools.set(pool, opened)
  return opened
}

/** All pools that anybody ever used on this Redis. */
const allPools = async (office: Office): Promise<readonly Pool[]> => {
  const names = await office.link.ask(() => office.link.client.smembers(office.poolsKey))
  return [...new Set([...names, ...office.pools.keys()])].map((name) => poolOf(office, name))
}

/** Its name is kept before its jobs: no job can be forgotten by `remove` and `depth`. */
const remember = (office: Office, pools: readonly string[]): Promise<unknown> =>
  office.link.client.sadd(office.poolsKey, ...pools)

const add = async (office: Office, jobs: readonly Job[]): Promise<void> => {
  const names = [...new Set(jobs.map(({ pool }) => pool))]
  if (names.length === 0) return
  await office.link.ask(async () => {
    await remember(office, names)
    for (const name of names) {
      const { queue } = poolOf(office, name)
      await queue.addBulk(jobs.filter(({ pool }) => pool === name).map(bulkJobOf))
    }
  })
}

/** A job that another process holds is ended over its head: token "0" passes any lock. */
const endForeign = async (queue: Queue, id: string): Promise<void> => {
  const job = await queue.getJob(id)
  if (job) await unlessOver(job.moveToCompleted(null, '0', false))
}

const removeFrom = async ({ queue, consumer }: Pool, runId: string): Promise<void> => {
  await consumer?.deliveries.forgetRun(runId)
  const ids = await queue.getRanges([...waitingStates, 'active'], 0, -1)
  const ofRun = ids.filter((id) => id.startsWith(idPrefixOf(runId)))
  await Promise.all(
    ofRun.map(async (id) => {
      if ((await queue.remove(id)) === 0) await endForeign(queue, id)
    }),
  )
}

const depthOf = async ({ queue }: Pool): Promise<number> => {
  const counts = await queue.getJobCounts(...waitingStates)
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

const consumerOf = (office: Office, name: string): Consumer => {
  const pool = poolOf(office, name)
  pool.consumer ??= openConsumer({ ...office, queueName: queueNameOf(name) })
  return pool.consumer
}

const closeAll = async ({ link, pools }: Office): Promise<void> => {
  for (const { consumer } of pools.values()) await consumer?.close().catch(link.report)
  for (const { queue } of pools.values()) await queue.close()
  await link.close()
}

/** What `openBullmqCourier` says, once BullMQ is loaded. */
export const connectBullmqCourier = async (options: BullmqCourierOptions): Promise<Courier> => {
  const { url, prefix = 'assay', leaseMillis = defaultLeaseMillis } = options
  const { isHeld = () => false, onTrouble = () => undefined } = options
  const { answerMillis = defaultAnswerMillis } = options
  const link = await openRedisLink({ url, answerMillis, onTrouble })
  const office: Office = {
    ...{ url, prefix, leaseMillis, answerMillis, isHeld, onTrouble, link },
    pools: new Map<string, Pool>(),
    poolsKey: `${prefix}:pools`,
  }
  let closing: Promise<void> | null = null
  return {
    add: (jobs) => add(office, jobs),
    async next({ pool, ...request }) {
      if (closing !== null || request.signal?.aborted) return null
      return consumerOf(office, pool).next(request)
    },
    async remove(runId) {
      for (const pool of await allPools(office)) {
        await link.ask(() => removeFrom(pool, runId))
      }
    },
    pause: (pool) =>
      link.ask(async () => {
        await remember(office, [pool])
        await poolOf(office, pool).queue.pause()
      }),
    resume: (pool) => link.ask(() => poolOf(office, pool).queue.resume()),
    async depth() {
      const depths = (await allPools(office)).map((pool) => link.ask(() => depthOf(pool)))
      return (await Promise.all(depths)).reduce((sum, depth) => sum + depth, 0)
    },
    close() {
      closing ??= closeAll(office)
      return closing
    },
  }
}
