/**
 * The courier that needs nothing but the store: jobs are rows of it, so they outlive the process;
 * consumers live in this process and are woken by whatever puts a job into their pool. Remote
 * workers reach it through the API's long poll, which waits here for them.
 */
import type { DeliveredJob, Store } from '@assay/store'
import type { Courier, Delivery, NextRequest } from './courier.ts'
import { openWaitingRoom, startTimer, type WaitingRoom } from './waiting-room.ts'

/**
 * How long a delivery may stay unfinished before the job is delivered again: as long as a worker may
 * go without renewing its take.
 */
const defaultLeaseMillis = 45_000

/** How an embedded courier is opened. */
export interface EmbeddedCourierOptions {
  /** Open for writing. The courier leaves it open. */
  readonly store: Store
  /** Of a delivery; 45 s if not said. */
  readonly leaseMillis?: number
}

interface Counter {
  readonly store: Store
  readonly room: WaitingRoom
  readonly leaseMillis: number
  /** One per consumer that waits; raised when its wait is over. */
  readonly waits: Set<AbortController>
}

const deliveryOf = ({ store, room }: Counter, job: DeliveredJob): Delivery => ({
  runId: job.runId,
  blockId: job.blockId,
  done: async () => store.jobs.done(job),
  giveBack: async () => {
    store.jobs.giveBack(job)
    room.call(job.pool)
  },
})

/** How long nothing can change by itself: until a delivery counts as lost; null if there is none. */
const quietMillis = (store: Store, pool: string): number | null => {
  const due = store.jobs.nextDue(pool)
  return due === null ? null : Math.max(due - store.now(), 1)
}

const waitForJob = async (
  counter: Counter,
  pool: string,
  over: AbortSignal,
): Promise<Delivery | null> => {
  const { store, room, leaseMillis } = counter
  while (!over.aborted) {
    // Nothing is awaited between the look and the sleep: no job can slip in unseen.
    const job = store.jobs.claim({ pool, leaseMillis })
    if (job) return deliveryOf(counter, job)
    await room.sleep(pool, quietMillis(store, pool), over)
  }
  return null
}

const next = async (counter: Counter, request: NextRequest): Promise<Delivery | null> => {
  const { pool, waitMillis, signal } = request
  if (signal?.aborted) return null
  const over = new AbortController()
  const end = (): void => over.abort()
  const stopTimer = startTimer(waitMillis, end)
  signal?.addEventListener('abort', end)
  counter.waits.add(over)
  try {
    return await waitForJob(counter, pool, over.signal)
  } finally {
    stopTimer()
    signal?.removeEventListener('abort', end)
    counter.waits.delete(over)
  }
}

/** Opens the courier. Whatever an earlier one had delivered and not finished waits again. */
export const openEmbeddedCourier = (options: EmbeddedCourierOptions): Courier => {
  const { store, leaseMillis = defaultLeaseMillis } = options
  const room = openWaitingRoom()
  const waits = new Set<AbortController>()
  const counter = { store, room, leaseMillis, waits }
  let isOpen = true
  store.jobs.giveBackAll()
  return {
    add: async (jobs) => {
      store.jobs.add(jobs)
      for (const pool of new Set(jobs.map((job) => job.pool))) room.call(pool)
    },
    next: async (request) => (isOpen ? next(counter, request) : null),
    remove: async (runId) => store.jobs.removeRun(runId),
    pause: async (pool) => store.jobs.pause(pool),
    resume: async (pool) => {
      store.jobs.resume(pool)
      room.call(pool)
    },
    depth: async () => store.jobs.waiting(),
    close: async () => {
      isOpen = false
      for (const wait of waits) wait.abort()
    },
  }
}
