/**
 * The queue of the embedded courier, kept where the truth is. It only remembers what was handed out;
 * waiting, waking and the port's promises are the courier's.
 */
import type { Context } from './context.ts'
import type { DeliveredJob, NewJob } from './tables/job.ts'

/** The store's job table. */
export interface Jobs {
  /** A job that is there already, waiting or delivered, stays as it is. */
  add(jobs: readonly NewJob[]): void
  /** Hands out the next job of a pool: smallest priority, then oldest; null if none or paused. */
  claim(request: { readonly pool: string; readonly leaseMillis: number }): DeliveredJob | null
  /** When the pool's first unfinished delivery will count as lost; null without deliveries. */
  nextDue(pool: string): number | null
  /** Forgets a delivered job. A delivery that is over does nothing. */
  done(delivery: DeliveredJob): void
  /** Puts a delivered job back at its old place. A delivery that is over does nothing. */
  giveBack(delivery: DeliveredJob): void
  /** Every delivered job waits again: for an opener who knows that all consumers are gone. */
  giveBackAll(): void
  removeRun(runId: string): void
  pause(pool: string): void
  resume(pool: string): void
  /** How many jobs wait to be delivered, in all pools. */
  waiting(): number
}

/** The jobs of an open store. */
export const jobsOf = (context: Context): Jobs => {
  const { job } = context.statements
  const { write, now } = context
  const effect = (work: () => unknown): void => {
    write(work)
  }
  return {
    add: (jobs) =>
      effect(() => {
        for (const added of jobs) job.add.run(added)
      }),
    claim: ({ pool, leaseMillis }) =>
      write(() => {
        job.returnLost.run(pool, now())
        return job.claim.get({ pool, dueAt: now() + leaseMillis }) ?? null
      }),
    nextDue: (pool) => job.nextDue.one(pool).dueAt,
    done: ({ jobKey, deliveries }) => effect(() => job.done.run(jobKey, deliveries)),
    giveBack: ({ jobKey, deliveries }) => effect(() => job.giveBack.run(jobKey, deliveries)),
    giveBackAll: () => effect(() => job.returnAll.run()),
    removeRun: (runId) => effect(() => job.removeRun.run(runId)),
    pause: (pool) => effect(() => job.pause.run(pool)),
    resume: (pool) => effect(() => job.resume.run(pool)),
    waiting: () => job.waiting.one().count,
  }
}
