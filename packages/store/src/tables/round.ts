/** SQL of the table `round`. */
import type { Preparer } from '../statement.ts'

/** A round without its samples. */
export interface RoundRow {
  readonly roundKey: number
  readonly number: number
  /** JSON of conditions. */
  readonly conditions: string
}

type NewRound = {
  takeKey: number
  warmup: 0 | 1
  number: number
  digest: string
  conditions: string
  savedAt: number
}

/** Statements of this family. */
export const roundStatements = ({ query }: Preparer) => ({
  insert: query<[NewRound], { roundKey: number }>(`
    INSERT INTO round (take_key, warmup, number, digest, conditions, saved_at)
    VALUES (:takeKey, :warmup, :number, :digest, :conditions, :savedAt)
    RETURNING round_key AS roundKey
  `),
  digest: query<[takeKey: number, warmup: 0 | 1, number: number], { digest: string }>(`
    SELECT digest FROM round WHERE take_key = ? AND warmup = ? AND number = ?
  `),
  /** Of each block's last take, warmups apart, by block and number. */
  conditionsOfRun: query<[number], { blockId: string; number: number; conditions: string }>(`
    SELECT b.id AS blockId, r.number, r.conditions
    FROM block AS b
    JOIN take AS t ON t.block_key = b.block_key
      AND t.number = (SELECT max(number) FROM take WHERE block_key = b.block_key)
    JOIN round AS r ON r.take_key = t.take_key AND r.warmup = 0
    WHERE b.run_key = ?
    ORDER BY b.position, r.number
  `),
  /** Warmups apart. */
  ofTake: query<[number], RoundRow>(`
    SELECT round_key AS roundKey, number, conditions
    FROM round WHERE take_key = ? AND warmup = 0 ORDER BY number
  `),
})
