/** SQL of the tables `take` and `stale_token`. */
import type { BlockStatus, RunStatus } from '@assay/model'
import type { Preparer } from '../statement.ts'

/** A take as it is kept. */
export interface TakeRow {
  readonly takeKey: number
  readonly blockKey: number
  readonly number: number
  /** Null while nobody holds it. */
  readonly token: string | null
  readonly worker: string
  /** JSON of a fingerprint. */
  readonly fingerprint: string
  readonly fingerprintDigest: string
  readonly takenAt: number
  readonly leaseUntil: number
  readonly savedRounds: number
  readonly savedWarmups: number
}

/** What a token stands for. */
export interface HeldRow {
  readonly takeKey: number
  readonly blockKey: number
  readonly runKey: number
  readonly runId: string
  readonly blockId: string
  readonly blockStatus: BlockStatus
  readonly runStatus: RunStatus
  readonly leaseUntil: number
  readonly worker: string
  readonly number: number
  readonly attempts: number
}

/** A take that is being measured, with what decides whether its block is worth another attempt. */
export interface LosableRow {
  readonly takeKey: number
  readonly blockKey: number
  readonly runKey: number
  readonly blockId: string
  readonly worker: string
  readonly attempts: number
  /** Attempts before this one that ended badly, in a row, without a saved round. */
  readonly losses: number
  readonly savedRounds: number
  readonly roundsAtStart: number
}

/** One holder of a take, who holds it no more. */
export interface PastHolderRow {
  readonly takeKey: number
  readonly worker: string
  readonly takenAt: number
  readonly endedAt: number
  readonly reason: string
}

const losable = `
  t.take_key AS takeKey, b.block_key AS blockKey, b.run_key AS runKey, b.id AS blockId, t.worker,
  b.attempts, b.losses, t.saved_rounds AS savedRounds, t.rounds_at_start AS roundsAtStart
`

const columns = `
  take_key AS takeKey, block_key AS blockKey, number, token, worker, fingerprint,
  fingerprint_digest AS fingerprintDigest, taken_at AS takenAt, lease_until AS leaseUntil,
  saved_rounds AS savedRounds, saved_warmups AS savedWarmups
`

type NewTake = {
  blockKey: number
  number: number
  token: string
  worker: string
  fingerprint: string
  fingerprintDigest: string
  takenAt: number
  leaseUntil: number
}
type NewHolder = {
  takeKey: number
  token: string
  worker: string
  takenAt: number
  leaseUntil: number
}
type Saved = { takeKey: number; rounds: number; warmups: number; samples: number }

/** Statements of this family. */
export const takeStatements = ({ command, query }: Preparer) => ({
  insert: command<[NewTake]>(`
    INSERT INTO take (block_key, number, token, worker, fingerprint, fingerprint_digest, taken_at,
      lease_until)
    VALUES (:blockKey, :number, :token, :worker, :fingerprint, :fingerprintDigest, :takenAt,
      :leaseUntil)
  `),
  hold: command<[NewHolder]>(`
    UPDATE take
    SET token = :token, worker = :worker, taken_at = :takenAt, lease_until = :leaseUntil,
      rounds_at_start = saved_rounds
    WHERE take_key = :takeKey
  `),
  last: query<[number], TakeRow>(`
    SELECT ${columns} FROM take WHERE block_key = ? ORDER BY number DESC LIMIT 1
  `),
  held: query<[string], HeldRow>(`
    SELECT t.take_key AS takeKey, b.block_key AS blockKey, r.run_key AS runKey, r.id AS runId,
      b.id AS blockId, b.status AS blockStatus, r.status AS runStatus, t.lease_until AS leaseUntil,
      t.worker, t.number, b.attempts
    FROM take AS t
    JOIN block AS b ON b.block_key = t.block_key
    JOIN run AS r ON r.run_key = b.run_key
    WHERE t.token = ?
  `),
  renew: command<[leaseUntil: number, takeKey: number]>(`
    UPDATE take SET lease_until = ? WHERE take_key = ?
  `),
  /** Held takes of taken blocks whose lease ran out before a time. */
  expired: query<[number], LosableRow>(`
    SELECT ${losable}
    FROM block AS b JOIN take AS t ON t.block_key = b.block_key
    WHERE b.status = 'taken' AND t.token IS NOT NULL AND t.lease_until <= ?
    ORDER BY b.block_key
  `),
  losable: query<[takeKey: number], LosableRow>(`
    SELECT ${losable}
    FROM take AS t JOIN block AS b ON b.block_key = t.block_key WHERE t.take_key = ?
  `),
  heldOfRun: query<[number], LosableRow>(`
    SELECT ${losable}
    FROM block AS b JOIN take AS t ON t.block_key = b.block_key
    WHERE b.run_key = ? AND b.status = 'taken' AND t.token IS NOT NULL
    ORDER BY b.position
  `),
  keepToken: command<[{ takeKey: number; at: number; reason: string }]>(`
    INSERT INTO stale_token (token, take_key, worker, taken_at, stale_at, reason)
    SELECT token, take_key, worker, taken_at, :at, :reason
    FROM take WHERE take_key = :takeKey AND token IS NOT NULL
  `),
  dropToken: command<[number]>('UPDATE take SET token = NULL WHERE take_key = ?'),
  staleReason: query<[string], { reason: string }>(`
    SELECT reason FROM stale_token WHERE token = ?
  `),
  ofBlock: query<[number], TakeRow>(`
    SELECT ${columns} FROM take WHERE block_key = ? ORDER BY number
  `),
  pastHolders: query<[blockKey: number], PastHolderRow>(`
    SELECT s.take_key AS takeKey, s.worker, s.taken_at AS takenAt, s.stale_at AS endedAt, s.reason
    FROM take AS t JOIN stale_token AS s ON s.take_key = t.take_key
    WHERE t.block_key = ? ORDER BY t.number, s.stale_at
  `),
  addSaved: command<[Saved]>(`
    UPDATE take
    SET saved_rounds = saved_rounds + :rounds, saved_warmups = saved_warmups + :warmups,
      saved_samples = saved_samples + :samples
    WHERE take_key = :takeKey
  `),
  /** The judged take of each block of a run that was ever taken. */
  judgedOfRun: query<[number], { blockKey: number; fingerprintDigest: string }>(`
    SELECT b.block_key AS blockKey, t.fingerprint_digest AS fingerprintDigest
    FROM block AS b
    JOIN take AS t ON t.block_key = b.block_key
      AND t.number = (SELECT max(number) FROM take WHERE block_key = b.block_key)
    WHERE b.run_key = ?
    ORDER BY b.position
  `),
})
