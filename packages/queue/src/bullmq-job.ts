/** How a block is written as a job of BullMQ and read back, and which of its answers mean "over". */
import { ErrorCode, type JobsOptions } from 'bullmq'
import type { Job } from './courier.ts'

/** A block by its names. */
export interface BlockNames {
  readonly runId: string
  readonly blockId: string
}

/** BullMQ's priorities end here (`PRIORITY_LIMIT`); 0 would jump every queue. */
const lastPriority = 2_097_151

/** The queue of a pool; BullMQ refuses a colon in its name. */
export const queueNameOf = (pool: string): string => `assay-${encodeURIComponent(pool)}`

/** What the ids of all jobs of a run begin with. */
export const idPrefixOf = (runId: string): string => `${encodeURIComponent(runId)}/`

/** The id is all that a job says: the block's names. It is no integer and has no colon. */
export const idOf = ({ runId, blockId }: BlockNames): string =>
  `${idPrefixOf(runId)}${encodeURIComponent(blockId)}`

/** The block that an id names; null for a job that somebody else put there. */
export const namesIn = (id: string): BlockNames | null => {
  const [runId, blockId, ...rest] = id.split('/')
  if (!runId || !blockId || rest.length > 0) return null
  try {
    return { runId: decodeURIComponent(runId), blockId: decodeURIComponent(blockId) }
  } catch {
    return null
  }
}

/** A job as BullMQ takes it. Nothing is kept of one that ended: its id may come again. */
export const bulkJobOf = (job: Job): { name: string; data: object; opts: JobsOptions } => ({
  name: 'block',
  data: {},
  opts: {
    jobId: idOf(job),
    priority: Math.min(Math.max(Math.trunc(job.priority), 0) + 1, lastPriority),
    removeOnComplete: true,
    removeOnFail: true,
  },
})

const overCodes: ReadonlySet<unknown> = new Set([
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
])

/** Waits for a change of a job; that the job is over already, or another's by now, is fine. */
export const unlessOver = async (change: Promise<unknown>): Promise<void> => {
  try {
    await change
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && overCodes.has(error.code))) throw error
  }
}
