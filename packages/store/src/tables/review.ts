/** SQL of the table `review`, and of the rounds that a review was based on. */
import type { ReviewDecision } from '@assay/model'
import type { Preparer } from '../statement.ts'

/** A review as it is kept. */
export interface ReviewRow {
  readonly id: number
  readonly at: number
  /** JSON of an actor. */
  readonly who: string
  readonly decision: ReviewDecision
  /** JSON of cell ids, or null. */
  readonly cells: string | null
  readonly reason: string
  readonly samplesDigest: string
}

/** Statements of this family. */
export const reviewStatements = ({ query }: Preparer) => ({
  insert: query<[Omit<ReviewRow, 'id'> & { runKey: number }], { id: number }>(`
    INSERT INTO review (run_key, at, who, decision, cells, reason, samples_digest)
    VALUES (:runKey, :at, :who, :decision, :cells, :reason, :samplesDigest)
    RETURNING review_key AS id
  `),
  ofRun: query<[runKey: number], ReviewRow>(`
    SELECT review_key AS id, at, who, decision, cells, reason, samples_digest AS samplesDigest
    FROM review WHERE run_key = ? ORDER BY review_key
  `),
  /** The judged rounds of a run: of each block's last take, warmups left out. */
  judgedRounds: query<
    [runKey: number],
    { readonly blockId: string; readonly take: number; readonly round: number; digest: string }
  >(`
    SELECT b.id AS blockId, t.number AS take, r.number AS round, r.digest
    FROM block AS b
    JOIN take AS t ON t.block_key = b.block_key
      AND t.number = (SELECT max(number) FROM take WHERE block_key = b.block_key)
    JOIN round AS r ON r.take_key = t.take_key AND r.warmup = 0
    WHERE b.run_key = ?
    ORDER BY b.position, r.number
  `),
})
