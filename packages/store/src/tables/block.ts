/** SQL of the table `block`. */
import type { BlockStatus, RunStatus, StopReason } from '@assay/model'
import type { Preparer } from '../statement.ts'

/** A block as it stands. */
export interface BlockState {
  readonly runId: string
  readonly blockId: string
  /** Place in the plan, from 0. */
  readonly position: number
  readonly status: BlockStatus
  readonly stopReason: StopReason | null
  /** Why it is dead, or null. */
  readonly reason: string | null
  /** How often it was taken. */
  readonly attempts: number
  readonly pool: string
}

/** A block that is to be measured: what a job is made from. */
export interface QueuedBlock {
  readonly runId: string
  readonly blockId: string
  /** Place in the plan, from 0. */
  readonly position: number
  readonly pool: string
  /** Of its run. */
  readonly priority: number
}

/** A block with its keys and its run's status. */
export interface BlockRow extends BlockState {
  readonly blockKey: number
  readonly runKey: number
  readonly runStatus: RunStatus
}

/** A sample that failed: what a dead or failed block is shown with. */
export interface FailureRow {
  readonly blockId: string
  readonly cellId: string
  readonly reason: string | null
  /** Of the cell's last bad sample; empty if it has none. */
  readonly stderr: string
}

const columns = `
  b.block_key AS blockKey, b.run_key AS runKey, r.id AS runId, r.status AS runStatus,
  b.id AS blockId, b.position, b.status, b.stop_reason AS stopReason, b.reason, b.attempts, b.pool
`
const from = 'FROM run AS r JOIN block AS b ON b.run_key = r.run_key'
const queued = 'r.id AS runId, b.id AS blockId, b.position, b.pool, r.priority'

type NewBlock = {
  runKey: number
  id: string
  position: number
  status: BlockStatus
  stopReason: StopReason | null
  pool: string
  plan: string
}

/** Statements of this family. */
export const blockStatements = ({ command, query }: Preparer) => ({
  insert: query<[NewBlock], { blockKey: number }>(`
    INSERT INTO block (run_key, id, position, status, stop_reason, pool, plan)
    VALUES (:runKey, :id, :position, :status, :stopReason, :pool, :plan)
    RETURNING block_key AS blockKey
  `),
  byId: query<[runId: string, blockId: string], BlockRow>(`
    SELECT ${columns} ${from} WHERE r.id = ? AND b.id = ?
  `),
  ofRun: query<[number], BlockRow>(`
    SELECT ${columns} ${from} WHERE b.run_key = ? ORDER BY b.position
  `),
  plan: query<[number], { plan: string }>('SELECT plan FROM block WHERE block_key = ?'),
  plansOfRun: query<[number], { plan: string }>(`
    SELECT plan FROM block WHERE run_key = ? ORDER BY position
  `),
  queued: query<[], QueuedBlock>(`
    SELECT ${queued} FROM block AS b JOIN run AS r ON r.run_key = b.run_key
    WHERE b.status = 'queued' ORDER BY b.run_key, b.position
  `),
  queuedOfRun: query<[number], QueuedBlock>(`
    SELECT ${queued} FROM block AS b JOIN run AS r ON r.run_key = b.run_key
    WHERE b.status = 'queued' AND b.run_key = ? ORDER BY b.position
  `),
  take: command<[number]>(`
    UPDATE block SET status = 'taken', attempts = attempts + 1 WHERE block_key = ?
  `),
  requeue: command<[{ blockKey: number; losses: number }]>(`
    UPDATE block SET status = 'queued', losses = :losses
    WHERE block_key = :blockKey AND status = 'taken'
  `),
  /** A block that is given up. */
  kill: command<[reason: string, blockKey: number]>(`
    UPDATE block SET status = 'dead', reason = ? WHERE block_key = ? AND status = 'taken'
  `),
  finish: command<[stopReason: StopReason, blockKey: number]>(`
    UPDATE block SET status = 'done', stop_reason = ? WHERE block_key = ? AND status = 'taken'
  `),
  /** Blocks of a run that ends early. */
  killOfRun: command<[reason: string | null, runKey: number]>(`
    UPDATE block SET status = 'dead', reason = ? WHERE run_key = ? AND status IN ('queued', 'taken')
  `),
  /** Failed cells, each with the end of the stderr of its last bad sample. */
  failuresOfRun: query<[number], FailureRow>(`
    SELECT b.id AS blockId, c.id AS cellId, c.reason, coalesce((
      SELECT s.stderr
      FROM take AS t
      JOIN round AS r ON r.take_key = t.take_key
      JOIN sample AS s ON s.round_key = r.round_key
      WHERE t.block_key = b.block_key AND s.cell_key = c.cell_key AND s.outcome <> 'good'
      ORDER BY t.number DESC, r.warmup DESC, r.number DESC LIMIT 1
    ), '') AS stderr
    FROM block AS b JOIN cell AS c ON c.block_key = b.block_key
    WHERE b.run_key = ? AND c.status = 'failed' ORDER BY b.position, c.position
  `),
  openCount: query<[number], { count: number }>(`
    SELECT count(*) AS count FROM block WHERE run_key = ? AND status IN ('queued', 'taken')
  `),
})
