/** The gate: may a change land on this report? What blocks, and what came of it. */
import { z } from 'zod'
import { runProgressSchema, startRunRequestSchema } from './api.ts'
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

/**
 * Rounds of a confirmation: as many as show most regressions of 3 % in noise of 1.5 %. Fewer than 12
 * can flag nothing.
 */
export const confirmRoundsSchema = z.int().min(12).max(10_000).nullable()
export const defaultConfirmRounds = 30

/** Start a run that is held against rules once it is over. */
export const startGateRequestSchema = startRunRequestSchema.safeExtend({
  rules: gateRulesSchema.exactOptional(),
  /** In which a regression is measured again; null lets one measurement decide. */
  confirmRounds: confirmRoundsSchema.default(defaultConfirmRounds),
})
export type StartGateRequest = z.infer<typeof startGateRequestSchema>

/** How far a gate is. It is decided when its run is over, and the confirmation if there is one. */
export const gateStateSchema = z.strictObject({
  status: z.enum(['measuring', 'confirming', 'decided']),
  rules: gateRulesSchema,
  confirmRounds: confirmRoundsSchema,
  run: runProgressSchema,
  /** The run that measures the regressions again; null before there is one. */
  confirmation: runProgressSchema.nullable(),
  /** Null until it is decided. Reviews count as they stand now. */
  gate: gateSchema.nullable(),
})
export type GateState = z.infer<typeof gateStateSchema>
