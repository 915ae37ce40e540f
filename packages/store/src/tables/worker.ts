/** SQL of the table `worker`, and of what its workers measure. */
import type { Preparer } from '../statement.ts'

/** A worker as it is kept. */
export interface WorkerRow {
  readonly name: string
  readonly pool: string
  readonly version: string
  /** JSON of a fingerprint. */
  readonly fingerprint: string
  readonly registeredAt: number
  readonly lastSeenAt: number
}

/** A block that is being measured, by whom. */
export interface MeasuredRow {
  readonly worker: string
  readonly runId: string
  readonly blockId: string
  readonly leaseUntil: number
}

/** Statements of this family. */
export const workerStatements = ({ command, query }: Preparer) => ({
  register: command<[WorkerRow]>(`
    INSERT INTO worker (name, pool, version, fingerprint, registered_at, last_seen_at)
    VALUES (:name, :pool, :version, :fingerprint, :registeredAt, :lastSeenAt)
    ON CONFLICT (name) DO UPDATE SET pool = excluded.pool, version = excluded.version,
      fingerprint = excluded.fingerprint, registered_at = excluded.registered_at,
      last_seen_at = excluded.last_seen_at
  `),
  seen: command<[at: number, name: string]>(`
    UPDATE worker SET last_seen_at = max(last_seen_at, ?) WHERE name = ?
  `),
  forget: command<[before: number]>('DELETE FROM worker WHERE last_seen_at < ?'),
  all: query<[], WorkerRow>(`
    SELECT name, pool, version, fingerprint, registered_at AS registeredAt,
      last_seen_at AS lastSeenAt
    FROM worker ORDER BY name
  `),
  /** Every block that is being measured, with the latest take of it. */
  measured: query<[], MeasuredRow>(`
    SELECT t.worker, r.id AS runId, b.id AS blockId, t.lease_until AS leaseUntil
    FROM block AS b
    JOIN run AS r ON r.run_key = b.run_key
    JOIN take AS t ON t.block_key = b.block_key AND t.token IS NOT NULL
      AND t.number = (SELECT max(number) FROM take WHERE block_key = b.block_key)
    WHERE b.status = 'taken' ORDER BY t.taken_at
  `),
  /** How many blocks of each pool are open, by status. */
  openBlocks: query<[], { pool: string; status: 'queued' | 'taken'; count: number }>(`
    SELECT pool, status, count(*) AS count FROM block
    WHERE status IN ('queued', 'taken') GROUP BY pool, status
  `),
  pausedPools: query<[], { pool: string }>('SELECT pool FROM paused_pool ORDER BY pool'),
})
