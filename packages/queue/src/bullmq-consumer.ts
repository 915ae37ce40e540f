/**
 * The consuming half of one pool: everybody who waits in this process is served by one loop, in the
 * order in which they came, over one connection that blocks in Redis. Jobs are fetched by hand and
 * stay active until their delivery ends; no processor of BullMQ runs.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, Worker } from 'bullmq'
import { openAskers } from './askers.ts'
import {
  type Deliveries,
  type DeliveriesOptions,
  type LockedJob,
  openDeliveries,
  renewalMillis,
} from './bullmq-deliveries.ts'
import type { Delivery, NextRequest } from './courier.ts'

/**
 * How long one wait in Redis lasts (seconds, BullMQ's default `drainDelay`): the longest that a
 * signal which was lost with a connection can delay a job.
 */
const blockSeconds = 5

/** How long after a failed wait the next begins. */
const retryMillis = 1_000

/** One pool's consumer. */
export interface Consumer {
  readonly deliveries: Deliveries
  /** See `Courier.next`. */
  next(request: Omit<NextRequest, 'pool'>): Promise<Delivery | null>
  close(): Promise<void>
}

/** How a consumer is opened. */
export interface ConsumerOptions extends Omit<DeliveriesOptions, 'worker'> {
  readonly queueName: string
  readonly prefix: string
  /** The longest that somebody who only looks waits for a Redis that does not answer. */
  readonly answerMillis: number
}

const openWorker = ({ queueName, prefix, link, leaseMillis }: ConsumerOptions): Worker => {
  const worker = new Worker(queueName, null, {
    connection: link.client,
    prefix,
    lockDuration: leaseMillis,
    stalledInterval: renewalMillis(leaseMillis),
    // How often a block may be tried is for the store to say.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    // It would print; the link has looked.
    skipVersionCheck: true,
  })
  worker.on('error', link.report)
  return worker
}

/**
 * What waits in Redis for a signal that there is something, one wait at a time: resolves at the
 * signal, after a while, and some time after a failure.
 */
const openSignals = (worker: Worker, { link }: ConsumerOptions) => {
  let blocking: Promise<void> | null = null
  const wait = async (): Promise<void> => {
    try {
      await worker.getBackend().waitForJob(blockSeconds)
    } catch (error) {
      if (worker.closing !== undefined) return
      link.report(error)
      await sleep(retryMillis)
    }
  }
  return {
    next: (): Promise<void> => {
      blocking ??= wait().finally(() => {
        blocking = null
      })
      return blocking
    },
    /** Resolves when nothing waits any more. */
    ended: async (): Promise<void> => blocking ?? undefined,
  }
}

const fetchJob = async (worker: Worker): Promise<LockedJob | null> => {
  const token = randomUUID()
  const job: Job | undefined = await worker.getNextJob(token, { block: false })
  return job?.id === undefined ? null : { job, id: job.id, token }
}

/**
 * The loop that serves all who wait: fetches when somebody comes and when Redis signals, and runs as
 * long as anybody waits. A job that comes when they have left goes back.
 */
const openLoop = (worker: Worker, deliveries: Deliveries, options: ConsumerOptions) => {
  const { link, answerMillis } = options
  const askers = openAskers(answerMillis)
  const signals = openSignals(worker, options)
  let serving: Promise<void> | null = null
  let arrivals = 0
  let ring = (): void => undefined

  const hand = async (locked: LockedJob): Promise<void> => {
    if (askers.first() === null) return deliveries.putBack(locked)
    const delivery = await deliveries.deliver(locked)
    const first = askers.first()
    if (first === null) await delivery?.giveBack()
    else if (delivery !== null) first.answer(delivery)
  }

  const serve = async (): Promise<void> => {
    while (worker.closing === undefined && askers.first() !== null) {
      const seen = arrivals
      const looking = askers.all().filter(({ onlyLooks }) => onlyLooks)
      const locked = await fetchJob(worker)
      if (locked !== null) {
        // What cannot be handed on now is delivered again when its lock has run out.
        await hand(locked).catch(link.report)
        continue
      }
      for (const asker of looking) asker.answer(null)
      if (askers.first() === null || arrivals !== seen) continue
      const rung = new Promise<void>((resolve) => {
        ring = resolve
      })
      await Promise.race([signals.next(), rung])
    }
  }

  const start = (): void => {
    arrivals += 1
    ring()
    serving ??= serve()
      .catch((error: unknown) => {
        for (const asker of askers.all()) asker.fail(link.explain(error))
      })
      .finally(() => {
        serving = null
        if (worker.closing === undefined && askers.first() !== null) start()
      })
  }

  return {
    next(request: Omit<NextRequest, 'pool'>): Promise<Delivery | null> {
      const answer = askers.join(request)
      start()
      return answer
    },
    /** Answers everybody; resolves when no job is on its way here any more. */
    async close(): Promise<void> {
      for (const asker of askers.all()) asker.answer(null)
      ring()
      // A Redis that is away has nothing on its way.
      if (link.client.status === 'ready') await link.ask(async () => serving)
    },
    ended: signals.ended,
  }
}

/** Opens the consumer of one pool, and its search for stalled jobs. */
export const openConsumer = (options: ConsumerOptions): Consumer => {
  const { link } = options
  const worker = openWorker(options)
  const deliveries = openDeliveries({ ...options, worker })
  const loop = openLoop(worker, deliveries, options)
  worker.startStalledCheckTimer().catch(link.report)
  return {
    deliveries,
    next: loop.next,
    async close() {
      await loop.close().catch(link.report)
      await deliveries.close().catch(link.report)
      await worker.close(true)
      await loop.ended()
    },
  }
}
