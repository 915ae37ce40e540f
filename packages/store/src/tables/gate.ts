/** SQL of the table `gate`. */
import type { Preparer } from '../statement.ts'

/** A gate as it is kept. */
export interface GateRecord {
  readonly runId: string
  /** JSON of the rules. */
  readonly rules: string
  readonly confirmRounds: number | null
  readonly confirmationId: string | null
  readonly decidedAt: number | null
}

const columns = `
  r.id AS runId, g.rules, g.confirm_rounds AS confirmRounds, c.id AS confirmationId,
  g.decided_at AS decidedAt
  FROM gate AS g
  JOIN run AS r ON r.run_key = g.run_key
  LEFT JOIN run AS c ON c.run_key = g.confirmation_run_key
`

/** Statements of this family. */
export const gateStatements = ({ command, query }: Preparer) => ({
  insert: command<[{ runKey: number; rules: string; confirmRounds: number | null }]>(`
    INSERT INTO gate (run_key, rules, confirm_rounds) VALUES (:runKey, :rules, :confirmRounds)
  `),
  confirm: command<[{ runKey: number; confirmationRunKey: number }]>(`
    UPDATE gate SET confirmation_run_key = :confirmationRunKey
    WHERE run_key = :runKey AND confirmation_run_key IS NULL
  `),
  decide: command<[{ runKey: number; at: number }]>(`
    UPDATE gate SET decided_at = :at WHERE run_key = :runKey AND decided_at IS NULL
  `),
  ofRun: query<[runKey: number], GateRecord>(`SELECT ${columns} WHERE g.run_key = ?`),
  due: query<[], GateRecord>(`
    SELECT ${columns}
    WHERE g.decided_at IS NULL AND r.finished_at IS NOT NULL
      AND (g.confirmation_run_key IS NULL OR c.finished_at IS NOT NULL)
    ORDER BY g.run_key
  `),
})
