/** SQL of the table `event`. */
import type { Preparer } from '../statement.ts'

/** An event as it is kept. */
export interface EventRow {
  readonly id: number
  readonly at: number
  readonly runId: string
  /** JSON of what happened, without the other columns. */
  readonly body: string
}

const columns = 'e.event_key AS id, e.at, r.id AS runId, e.body'
const from = 'FROM event AS e JOIN run AS r ON r.run_key = e.run_key'

/** Statements of this family. */
export const eventStatements = ({ command, query }: Preparer) => ({
  insert: query<[{ runKey: number; at: number; body: string }], { id: number }>(`
    INSERT INTO event (run_key, at, body) VALUES (:runKey, :at, :body)
    RETURNING event_key AS id
  `),
  forget: command<[upTo: number]>('DELETE FROM event WHERE event_key <= ?'),
  after: query<[id: number, limit: number], EventRow>(`
    SELECT ${columns} ${from} WHERE e.event_key > ? ORDER BY e.event_key LIMIT ?
  `),
  afterOfRun: query<[runKey: number, id: number, limit: number], EventRow>(`
    SELECT ${columns} ${from} WHERE e.run_key = ? AND e.event_key > ?
    ORDER BY e.event_key LIMIT ?
  `),
  /** The newest key that was ever given, also where its event is gone. */
  newest: query<[], { id: number | null }>(`
    SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'event') AS id
  `),
  oldest: query<[], { id: number | null }>('SELECT min(event_key) AS id FROM event'),
})
