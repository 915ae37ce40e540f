/** Requests and answers of the HTTP API on the workers' side: blocks are taken, measured and finished. */
import { z } from 'zod'
import { fingerprintSchema } from './host.ts'
import { plannedBlockSchema } from './plan.ts'
import { stopReasonSchema, takeSchema } from './run.ts'
import { roundSchema } from './sample.ts'
import { samplingSchema } from './sampling.ts'

/** A worker asks for work; waits on the server up to `waitMillis`. */
export const nextBlockRequestSchema = z.strictObject({
  pool: z.string(),
  /** The name under which it registered: it is alive. */
  worker: z.string().exactOptional(),
  waitMillis: z.int().min(0).max(60_000),
})
export const nextBlockResponseSchema = z.strictObject({
  block: z.strictObject({ runId: z.string(), blockId: z.string() }).nullable(),
})

/** A worker takes a block; the answer freezes what is to be measured. */
export const takeBlockRequestSchema = z.strictObject({
  worker: z.string(),
  fingerprint: fingerprintSchema,
})
export const takenBlockSchema = z.strictObject({
  take: takeSchema,
  /** How long the take holds without being renewed. */
  leaseMillis: z.int().min(1),
  block: plannedBlockSchema,
  sampling: samplingSchema,
  seed: z.string(),
  /** The run's primary metric: precision, which ends the rounds, is that of its effect. */
  metric: z.string(),
  /** Saved rounds of this take without warmups, by number: what a resumed block goes on from. */
  rounds: z.array(roundSchema).readonly(),
})
export type TakenBlock = z.infer<typeof takenBlockSchema>

export const renewRequestSchema = z.strictObject({ token: z.string() })
/** A block is given back: in good order, or because of a fault, which counts as a lost attempt. */
export const releaseRequestSchema = z.strictObject({
  token: z.string(),
  reason: z.string().min(1).max(10_000).exactOptional(),
})
export const renewResponseSchema = z.strictObject({
  leaseUntil: z.number(),
  cancelled: z.boolean(),
})

/** A round is saved once: the same digest again is fine, another is a conflict. */
export const putRoundRequestSchema = z.strictObject({
  token: z.string(),
  digest: z.string(),
  round: roundSchema,
})
export type PutRoundRequest = z.infer<typeof putRoundRequestSchema>

/** How a block ended, cell by cell. */
export const cellEndSchema = z.strictObject({
  cellId: z.string(),
  status: z.enum(['measured', 'failed', 'unsupported', 'skipped']),
  reason: z.string().nullable(),
  /** Why its hook cleanup failed: no sample is worse for it. Absent where it did not. */
  cleanupFault: z.string().max(10_000).exactOptional(),
})
export type CellEnd = z.infer<typeof cellEndSchema>
export const finishBlockRequestSchema = z.strictObject({
  token: z.string(),
  stopReason: stopReasonSchema,
  cells: z.array(cellEndSchema).readonly(),
})
export type FinishBlockRequest = z.infer<typeof finishBlockRequestSchema>
