/** SQL of the table `audit`. */
import type { Preparer } from '../statement.ts'

/** An entry as it is kept. */
export interface AuditRow {
  readonly id: number
  readonly at: number
  /** JSON of an actor. */
  readonly who: string
  readonly action: string
  /** JSON of names and values. */
  readonly object: string
  readonly status: number | null
  readonly requestId: string | null
}

/** Statements of this family. */
export const auditStatements = ({ command, query }: Preparer) => ({
  insert: query<[Omit<AuditRow, 'id'>], { id: number }>(`
    INSERT INTO audit (at, who, action, object, status, request_id)
    VALUES (:at, :who, :action, :object, :status, :requestId)
    RETURNING audit_key AS id
  `),
  /** Only refusals: a change is never forgotten. */
  forgetRefusals: command<[upTo: number]>(`
    DELETE FROM audit WHERE status IN (401, 403) AND audit_key <= ?
  `),
  /** Newest first. */
  page: query<[before: number, limit: number], AuditRow>(`
    SELECT audit_key AS id, at, who, action, object, status, request_id AS requestId
    FROM audit WHERE audit_key < ? ORDER BY audit_key DESC LIMIT ?
  `),
})
