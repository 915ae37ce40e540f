/** SQL of the tables `label` and `idempotency`: what a run was asked for with. */
import type { Preparer } from '../statement.ts'

/** Statements of this family. */
export const labelStatements = ({ command, query }: Preparer) => ({
  insert: command<[runKey: number, key: string, value: string]>(
    'INSERT INTO label (run_key, key, value) VALUES (?, ?, ?)',
  ),
  asked: query<[string], { requestDigest: string; runId: string }>(`
    SELECT i.request_digest AS requestDigest, r.id AS runId
    FROM idempotency AS i JOIN run AS r ON r.run_key = i.run_key
    WHERE i.key = ?
  `),
  ask: command<[{ key: string; requestDigest: string; runKey: number; askedAt: number }]>(`
    INSERT INTO idempotency (key, request_digest, run_key, asked_at)
    VALUES (:key, :requestDigest, :runKey, :askedAt)
  `),
  forgetAsked: command<[before: number]>('DELETE FROM idempotency WHERE asked_at < ?'),
})
