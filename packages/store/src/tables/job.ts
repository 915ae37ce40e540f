/** SQL of the tables `job` and `paused_pool`: the queue of the embedded courier. */
import type { Preparer } from '../statement.ts'

/** A job as the queue knows it. */
export interface NewJob {
  readonly pool: string
  readonly runId: string
  readonly blockId: string
  /** The smaller number goes first. */
  readonly priority: number
}

/** A delivered job. Key and count together are the delivery's identity. */
export interface DeliveredJob {
  readonly jobKey: number
  readonly deliveries: number
  readonly pool: string
  readonly runId: string
  readonly blockId: string
}

/** Statements of this family. */
export const jobStatements = ({ command, query }: Preparer) => ({
  add: command<[NewJob]>(`
    INSERT INTO job (pool, run_id, block_id, priority)
    VALUES (:pool, :runId, :blockId, :priority)
    ON CONFLICT (run_id, block_id) DO NOTHING
  `),
  /** Lost deliveries are waiting again, at their old place. */
  returnLost: command<[pool: string, now: number]>(`
    UPDATE job SET due_at = NULL WHERE pool = ? AND due_at IS NOT NULL AND due_at <= ?
  `),
  returnAll: command<[]>('UPDATE job SET due_at = NULL WHERE due_at IS NOT NULL'),
  claim: query<[{ pool: string; dueAt: number }], DeliveredJob>(`
    UPDATE job SET due_at = :dueAt, deliveries = deliveries + 1
    WHERE job_key = (
      SELECT job_key FROM job WHERE pool = :pool AND due_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM paused_pool WHERE pool = :pool)
      ORDER BY priority, job_key LIMIT 1
    )
    RETURNING job_key AS jobKey, deliveries, pool, run_id AS runId, block_id AS blockId
  `),
  nextDue: query<[string], { dueAt: number | null }>(`
    SELECT min(due_at) AS dueAt FROM job WHERE pool = ? AND due_at IS NOT NULL
  `),
  done: command<[jobKey: number, deliveries: number]>(`
    DELETE FROM job WHERE job_key = ? AND deliveries = ? AND due_at IS NOT NULL
  `),
  giveBack: command<[jobKey: number, deliveries: number]>(`
    UPDATE job SET due_at = NULL WHERE job_key = ? AND deliveries = ? AND due_at IS NOT NULL
  `),
  removeRun: command<[string]>('DELETE FROM job WHERE run_id = ?'),
  pause: command<[string]>('INSERT OR IGNORE INTO paused_pool (pool) VALUES (?)'),
  resume: command<[string]>('DELETE FROM paused_pool WHERE pool = ?'),
  waiting: query<[], { count: number }>(`
    SELECT count(*) AS count FROM job WHERE due_at IS NULL
  `),
})
