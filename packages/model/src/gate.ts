/** The gate: may a change land on this report? What blocks, and what came of it. */
import { z } from 'zod'
import { verdictSchema } from './report.ts'

/** What can be told to block; the first four do unless a person says otherwise. */
export const gateBlockerSchema = z.enum([
  'regression',
  'failed',
  'missing',
  'suspect',
  'unsupported',
  'inconclusive',
])
export type GateBlocker = z.infer<typeof gateBlockerSchema>

/** What blocks where nothing is said. */
export const defaultBlockers: readonly GateBlocker[] = [
  'regression',
  'failed',
  'missing',
  'suspect',
]

/** What a gate lets through. */
export const gateRulesSchema = z.strictObject({
  block: z.array(gateBlockerSchema).min(1).readonly().default(defaultBlockers),
  /** Regressions smaller than this fraction do not block; the campaign's threshold stays as it is. */
  threshold: z.number().min(0).max(10).default(0),
})
export type GateRules = z.infer<typeof gateRulesSchema>

/** How a row stands at the gate. */
export const gateRowSchema = z.strictObject({
  blockId: z.string(),
  cellId: z.string(),
  label: z.string(),
  verdict: verdictSchema,
  state: z.enum(['passes', 'blocks', 'accepted']),
  /** As what it blocks, or would were it not accepted; null for a row that passes. */
  blocker: z.enum([...gateBlockerSchema.options, 'rejected']).nullable(),
  /** In one sentence. */
  reason: z.string(),
})
export type GateRow = z.infer<typeof gateRowSchema>

/** What came of it: the OR of its rows, and of the run itself. */
export const gateSchema = z.strictObject({
  runId: z.string(),
  /** `blocked` by a regression; `unmeasured`: only by what could not be measured or believed. */
  outcome: z.enum(['passed', 'blocked', 'unmeasured']),
  /** Why, in one sentence. */
  reason: z.string(),
  /** The run that measured the regressions again: a row blocks only if both flag it. */
  confirmedBy: z.string().nullable(),
  rules: gateRulesSchema,
  rows: z.array(gateRowSchema).readonly(),
})
export type Gate = z.infer<typeof gateSchema>
