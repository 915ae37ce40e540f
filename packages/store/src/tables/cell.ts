/** SQL of the table `cell`. */
import type { CellState, CellStatus } from '@assay/model'
import type { Preparer } from '../statement.ts'

/** A cell of one block. */
export interface CellRow {
  readonly cellKey: number
  readonly cellId: string
  readonly status: CellStatus
  readonly reason: string | null
  /** Why its hook cleanup failed; null for nearly all. */
  readonly cleanupFault: string | null
}

type NewCell = {
  runKey: number
  blockKey: number
  id: string
  position: number
  label: string
  status: CellStatus
  reason: string | null
}
type CellChange = {
  cellKey: number
  status: CellStatus
  reason: string | null
  cleanupFault: string | null
}

/** Statements of this family. */
export const cellStatements = ({ command, query }: Preparer) => ({
  insert: command<[NewCell]>(`
    INSERT INTO cell (run_key, block_key, id, position, label, status, reason)
    VALUES (:runKey, :blockKey, :id, :position, :label, :status, :reason)
  `),
  ofBlock: query<[number], CellRow>(`
    SELECT cell_key AS cellKey, id AS cellId, status, reason, cleanup_fault AS cleanupFault
    FROM cell WHERE block_key = ? ORDER BY position
  `),
  /** With the counts of the judged take: the block's highest. */
  statesOfRun: query<[{ runKey: number }], CellState>(`
    SELECT c.id AS cellId, b.id AS blockId, c.label, c.status, c.reason,
      coalesce(n.good, 0) AS goodSamples, coalesce(n.samples, 0) AS samples
    FROM block AS b
    JOIN cell AS c ON c.block_key = b.block_key
    LEFT JOIN (
      SELECT s.cell_key, count(*) AS samples, sum(s.outcome = 'good') AS good
      FROM block AS jb
      JOIN take AS t ON t.block_key = jb.block_key
        AND t.number = (SELECT max(number) FROM take WHERE block_key = jb.block_key)
      JOIN round AS r ON r.take_key = t.take_key AND r.warmup = 0
      JOIN sample AS s ON s.round_key = r.round_key
      WHERE jb.run_key = :runKey
      GROUP BY s.cell_key
    ) AS n ON n.cell_key = c.cell_key
    WHERE b.run_key = :runKey
    ORDER BY b.position, c.position
  `),
  /** Touches open cells only: what is terminal stays. */
  setStatus: command<[CellChange]>(`
    UPDATE cell SET status = :status, reason = :reason, cleanup_fault = :cleanupFault
    WHERE cell_key = :cellKey AND status IN ('queued', 'running')
  `),
  start: command<[number]>(`
    UPDATE cell SET status = 'running' WHERE block_key = ? AND status = 'queued'
  `),
  skipOfRun: command<[reason: string | null, runKey: number]>(`
    UPDATE cell SET status = 'skipped', reason = ?
    WHERE run_key = ? AND status IN ('queued', 'running')
  `),
  /** Open cells of a block that is given up. */
  failOfBlock: command<[reason: string, blockKey: number]>(`
    UPDATE cell SET status = 'failed', reason = ?
    WHERE block_key = ? AND status IN ('queued', 'running')
  `),
  keyOf: query<[runKey: number, cellId: string], { cellKey: number; blockKey: number }>(`
    SELECT cell_key AS cellKey, block_key AS blockKey FROM cell WHERE run_key = ? AND id = ?
  `),
  count: query<[runKey: number, status: CellStatus], { count: number }>(`
    SELECT count(*) AS count FROM cell WHERE run_key = ? AND status = ?
  `),
  firstFailure: query<[number], { cellId: string; reason: string | null }>(`
    SELECT id AS cellId, reason FROM cell
    WHERE run_key = ? AND status = 'failed' ORDER BY cell_key LIMIT 1
  `),
})
