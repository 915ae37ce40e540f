/** Runs, blocks, takes and cells as they stand: two small state machines and their rows. */
import { z } from 'zod'
import { fingerprintSchema } from './host.ts'
import type { Plan } from './plan.ts'

/** `complete`, `failed` and `cancelled` are terminal and never change. */
export const runStatusSchema = z.enum(['planned', 'running', 'complete', 'failed', 'cancelled'])
export type RunStatus = z.infer<typeof runStatusSchema>

/** `measured`, `failed`, `unsupported` and `skipped` are terminal and never change. */
export const cellStatusSchema = z.enum([
  'queued',
  'running',
  'measured',
  'failed',
  'unsupported',
  'skipped',
])
export type CellStatus = z.infer<typeof cellStatusSchema>

/** `done` and `dead` are terminal; a block with an expired lease is queued again. */
export const blockStatusSchema = z.enum(['queued', 'taken', 'done', 'dead'])
export type BlockStatus = z.infer<typeof blockStatusSchema>

/** Why a block's rounds ended. */
export const stopReasonSchema = z.enum(['precise', 'rounds', 'budget', 'failed', 'unsupported'])
export type StopReason = z.infer<typeof stopReasonSchema>

/** What a person sorts runs by: `branch: default`, `change: 522b4d729e89`... */
export const labelsSchema = z.record(
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/,
      'a label begins with a letter or digit; then letters, digits and . _ / -, at most 63',
    ),
  z.string().max(200),
)
export type Labels = z.infer<typeof labelsSchema>

/** Where a run stands in the queue: the smaller number goes first, 0 where nothing is said. */
export const prioritySchema = z.int().min(0).max(1_000_000)

/** One execution of a plan. Times are milliseconds since 1970. */
export const runSchema = z.strictObject({
  id: z.string(),
  /** Given by a person, or null. */
  name: z.string().nullable(),
  campaign: z.string(),
  campaignDigest: z.string(),
  seed: z.string(),
  status: runStatusSchema,
  /** For a failed run: why. */
  reason: z.string().nullable(),
  createdAt: z.number(),
  finishedAt: z.number().nullable(),
  labels: labelsSchema,
  priority: prioritySchema,
  /** A person's word that its numbers are worth nothing, and why; null for most runs. */
  invalid: z.strictObject({ reason: z.string(), at: z.number() }).nullable(),
})
export type Run = z.infer<typeof runSchema>

/** A run with its frozen plan. */
export interface PlannedRun extends Run {
  readonly plan: Plan
}

/** A cell as it stands. */
export const cellStateSchema = z.strictObject({
  cellId: z.string(),
  blockId: z.string(),
  label: z.string(),
  status: cellStatusSchema,
  /** Why it failed, was skipped or is unsupported; null otherwise. */
  reason: z.string().nullable(),
  /** Good samples and all samples of the judged take, warmups apart. */
  goodSamples: z.int(),
  samples: z.int(),
})
export type CellState = z.infer<typeof cellStateSchema>

/** One host's attempt at a block. Its token must come with every write. */
export const takeSchema = z.strictObject({
  token: z.string(),
  runId: z.string(),
  blockId: z.string(),
  /** From 1; the highest is the judged one. */
  number: z.int().min(1),
  worker: z.string(),
  fingerprint: fingerprintSchema,
  /** Rounds already saved in this take; warmups apart. */
  savedRounds: z.int(),
  /** Warmup rounds already saved; a resumed take warms up again under the next numbers. */
  savedWarmups: z.int(),
  leaseUntil: z.number(),
})
