/** SQL of the table `run`. */
import type { Run, RunStatus } from '@assay/model'
import type { Preparer } from '../statement.ts'

/** A run with the key under which its rows hang together. */
export interface RunRow extends Omit<Run, 'labels' | 'invalid'> {
  readonly runKey: number
  /** JSON of labels. */
  readonly labels: string
  readonly invalidReason: string | null
  readonly invalidAt: number | null
}

/** A run with the counts of its parts. */
export interface ProgressRow extends RunRow {
  readonly blocksTotal: number
  readonly blocksFinished: number
  readonly cellsTotal: number
  readonly cellsMeasured: number
  readonly cellsFailed: number
  readonly cellsUnsupported: number
  readonly samples: number
}

const columns = `
  run_key AS runKey, id, name, campaign, campaign_digest AS campaignDigest, seed, status, reason,
  created_at AS createdAt, finished_at AS finishedAt, priority, invalid_reason AS invalidReason,
  invalid_at AS invalidAt,
  (SELECT json_group_object(l.key, l.value) FROM label AS l WHERE l.run_key = run.run_key) AS labels
`

const cellsOf = (status: string) =>
  `(SELECT count(*) FROM cell AS c WHERE c.run_key = run.run_key AND c.status = '${status}')`

const counts = `
  (SELECT count(*) FROM block AS b WHERE b.run_key = run.run_key) AS blocksTotal,
  (SELECT count(*) FROM block AS b
    WHERE b.run_key = run.run_key AND b.status IN ('done', 'dead')) AS blocksFinished,
  (SELECT count(*) FROM cell AS c WHERE c.run_key = run.run_key) AS cellsTotal,
  ${cellsOf('measured')} AS cellsMeasured,
  ${cellsOf('failed')} AS cellsFailed,
  ${cellsOf('unsupported')} AS cellsUnsupported,
  (SELECT coalesce(sum(t.saved_samples), 0)
    FROM block AS b JOIN take AS t ON t.block_key = b.block_key
    WHERE b.run_key = run.run_key) AS samples
`

type NewRun = Omit<Run, 'finishedAt' | 'labels' | 'invalid'> & { readonly plan: string }
type PageKey = {
  before: number
  limit: number
  status: RunStatus | null
  campaign: string | null
  labelKey: string | null
  labelValue: string | null
}
type RunEnd = { runKey: number; status: RunStatus; reason: string | null; at: number | null }

/** Statements of this family. */
export const runStatements = ({ command, query }: Preparer) => ({
  insert: query<[NewRun], { runKey: number }>(`
    INSERT INTO run (id, name, campaign, campaign_digest, seed, status, reason, created_at, plan,
      priority)
    VALUES (:id, :name, :campaign, :campaignDigest, :seed, :status, :reason, :createdAt, :plan,
      :priority)
    RETURNING run_key AS runKey
  `),
  byId: query<[string], RunRow>(`SELECT ${columns} FROM run WHERE id = ?`),
  byName: query<[string], RunRow>(`SELECT ${columns} FROM run WHERE name = ?`),
  byKey: query<[number], RunRow>(`SELECT ${columns} FROM run WHERE run_key = ?`),
  /** Half-open interval of ids: those that begin with a text. */
  byPrefix: query<[from: string, to: string, limit: number], RunRow>(`
    SELECT ${columns} FROM run WHERE id >= ? AND id < ? ORDER BY id LIMIT ?
  `),
  back: query<[number], RunRow>(`
    SELECT ${columns} FROM run ORDER BY run_key DESC LIMIT 1 OFFSET ?
  `),
  plan: query<[number], { plan: string }>('SELECT plan FROM run WHERE run_key = ?'),
  progress: query<[number], ProgressRow>(`
    SELECT ${columns}, ${counts} FROM run WHERE run_key = ?
  `),
  /** What is null is not asked for. */
  page: query<[PageKey], ProgressRow>(`
    SELECT ${columns}, ${counts} FROM run
    WHERE run_key < :before
      AND (:status IS NULL OR status = :status)
      AND (:campaign IS NULL OR campaign = :campaign)
      AND (:labelKey IS NULL OR EXISTS (
        SELECT 1 FROM label AS f
        WHERE f.run_key = run.run_key AND f.key = :labelKey AND f.value = :labelValue
      ))
    ORDER BY run_key DESC LIMIT :limit
  `),
  setInvalid: command<[{ runKey: number; reason: string | null; at: number | null }]>(`
    UPDATE run SET invalid_reason = :reason, invalid_at = :at WHERE run_key = :runKey
  `),
  open: query<[], RunRow>(`
    SELECT ${columns} FROM run WHERE status IN ('planned', 'running') ORDER BY run_key
  `),
  /** Touches open runs only: what is terminal stays. */
  setStatus: command<[RunEnd]>(`
    UPDATE run SET status = :status, reason = :reason, finished_at = :at
    WHERE run_key = :runKey AND status IN ('planned', 'running')
  `),
  start: command<[number]>(`
    UPDATE run SET status = 'running' WHERE run_key = ? AND status = 'planned'
  `),
})
