/**
 * Jobs of one BullMQ queue that are in consumers' hands. A job's lock is the delivery's lease: it is
 * renewed while somebody holds the block, and runs out otherwise, upon which BullMQ's search for
 * stalled jobs has the job delivered again, to anybody who waits.
 */
import type { Job, Worker } from 'bullmq'
import { type BlockNames, namesIn, unlessOver } from './bullmq-job.ts'
import type { Delivery } from './courier.ts'
import type { RedisLink } from './redis-link.ts'

/** Renewed this many times before a lock would run out (BullMQ's own default is 2). */
const renewalsPerLease = 3

/** How often locks are renewed, and stalled jobs looked for. */
export const renewalMillis = (leaseMillis: number): number =>
  Math.max(Math.floor(leaseMillis / renewalsPerLease), 1)

/** A job as `Worker.getNextJob` hands it out, with the token of its lock. */
export interface LockedJob {
  readonly job: Job
  readonly id: string
  readonly token: string
}

interface OpenDelivery extends LockedJob {
  readonly names: BlockNames
  /** Whether it was ever seen to be held: then it is lost as soon as it is not. */
  wasHeld: boolean
}

/** The deliveries of one pool. */
export interface Deliveries {
  /** Null for a job that is not ours: it is dropped. */
  deliver(locked: LockedJob): Promise<Delivery | null>
  /** Waits again, first of its priority, before anybody had it. */
  putBack(locked: LockedJob): Promise<void>
  /** Ends those of a run. */
  forgetRun(runId: string): Promise<void>
  /** Gives everything back that is still open, and renews nothing any more. */
  close(): Promise<void>
}

/** What deliveries need. */
export interface DeliveriesOptions {
  readonly worker: Worker
  readonly link: RedisLink
  readonly leaseMillis: number
  readonly isHeld: (block: BlockNames) => boolean
}

/** The two ends of a delivery, in Redis. */
const endsOf = ({ worker, link }: DeliveriesOptions) => ({
  complete: ({ job, token }: LockedJob): Promise<void> =>
    link.ask(() => unlessOver(job.moveToCompleted(null, token, false))),
  putBack: ({ job, token }: LockedJob): Promise<void> =>
    link.ask(async () => {
      await unlessOver(job.moveToWait(token))
      // BullMQ wakes nobody for a job with a priority that comes back: its own marker does.
      await link.client.zadd(worker.toKey('marker'), 0, '0')
    }),
})

/** Gives back what nobody holds any more, and renews the locks of what is held. */
const renew = async (
  open: Map<string, OpenDelivery>,
  { worker, link, leaseMillis, isHeld }: DeliveriesOptions,
  putBack: (locked: LockedJob) => Promise<void>,
): Promise<void> => {
  for (const delivery of [...open.values()]) {
    const held = isHeld(delivery.names)
    if (delivery.wasHeld && !held) {
      open.delete(delivery.token)
      await putBack(delivery)
    }
    delivery.wasHeld = held
  }
  const held = [...open.values()].filter(({ wasHeld }) => wasHeld)
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  const tokens = held.map(({ token }) => token)
  const lost = new Set(await link.ask(() => worker.extendJobLocks(ids, tokens, leaseMillis)))
  for (const { id, token } of held) if (lost.has(id)) open.delete(token)
}

/** Does `work` every so often, never twice at once. Returns what ends it and waits for the last. */
const repeat = (millis: number, work: () => Promise<void>): (() => Promise<void>) => {
  let working: Promise<void> | null = null
  const timer = setInterval(() => {
    working ??= work().finally(() => {
      working = null
    })
  }, millis)
  return async () => {
    clearInterval(timer)
    await working
  }
}

/** No deliveries yet. */
export const openDeliveries = (options: DeliveriesOptions): Deliveries => {
  const { link, leaseMillis } = options
  const open = new Map<string, OpenDelivery>()
  const { complete, putBack } = endsOf(options)
  const stopRenewing = repeat(renewalMillis(leaseMillis), () =>
    renew(open, options, putBack).catch(link.report),
  )
  const endOnce = (token: string, end: (delivery: OpenDelivery) => Promise<void>) => async () => {
    const delivery = open.get(token)
    open.delete(token)
    if (delivery !== undefined) await end(delivery)
  }
  return {
    putBack,
    async deliver(locked) {
      const names = namesIn(locked.id)
      if (names === null) {
        await complete(locked)
        return null
      }
      // An earlier delivery of the same job was lost.
      for (const { id, token } of [...open.values()]) if (id === locked.id) open.delete(token)
      open.set(locked.token, { ...locked, names, wasHeld: false })
      return {
        ...names,
        done: endOnce(locked.token, complete),
        giveBack: endOnce(locked.token, putBack),
      }
    },
    async forgetRun(runId) {
      const mine = [...open.values()].filter(({ names }) => names.runId === runId)
      for (const delivery of mine) open.delete(delivery.token)
      await Promise.all(mine.map(complete))
    },
    async close() {
      await stopRenewing()
      const left = [...open.values()]
      open.clear()
      // A Redis that is away is not waited for: there the locks run out.
      if (link.client.status === 'ready') await Promise.all(left.map(putBack))
    },
  }
}
