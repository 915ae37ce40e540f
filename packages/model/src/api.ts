/** Requests and answers of the HTTP API (`/api/v1`): one pair per endpoint, shared by client and server. */
import { z } from 'zod'
import { fingerprintSchema } from './host.ts'
import { plannedBlockSchema } from './plan.ts'
import { cellStateSchema, runSchema, stopReasonSchema, takeSchema } from './run.ts'
import { roundSchema, sampleSchema } from './sample.ts'
import { samplingSchema } from './sampling.ts'

/** problem+json (RFC 9457) with our stable `code`. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type Problem = z.infer<typeof problemSchema>

/** Start a run: of a campaign in the server's folder by name, or of posted YAML. */
export const startRunRequestSchema = z.union([
  z.strictObject({
    campaign: z.string(),
    name: z.string().exactOptional(),
    seed: z.string().exactOptional(),
  }),
  z.strictObject({
    yaml: z.string(),
    name: z.string().exactOptional(),
    seed: z.string().exactOptional(),
  }),
])
export type StartRunRequest = z.infer<typeof startRunRequestSchema>

export const startRunResponseSchema = z.strictObject({
  id: z.string(),
  blocks: z.int(),
  cells: z.int(),
})

/** A run with its progress. */
export const runProgressSchema = runSchema.extend({
  blocks: z.strictObject({ total: z.int(), finished: z.int() }),
  cells: z.strictObject({
    total: z.int(),
    measured: z.int(),
    failed: z.int(),
    unsupported: z.int(),
  }),
  samples: z.int(),
})
export type RunProgress = z.infer<typeof runProgressSchema>

export const listRunsResponseSchema = z.strictObject({
  runs: z.array(runProgressSchema).readonly(),
  /** Hand it back as `cursor` for the next page; null on the last. */
  nextCursor: z.string().nullable(),
})

export const listCellsResponseSchema = z.strictObject({
  cells: z.array(cellStateSchema).readonly(),
})

/** A stored sample with its place. */
export const storedSampleSchema = sampleSchema.extend({
  take: z.int(),
  round: z.int(),
  warmup: z.boolean(),
})
export type StoredSample = z.infer<typeof storedSampleSchema>

export const listSamplesResponseSchema = z.strictObject({
  samples: z.array(storedSampleSchema).readonly(),
  nextCursor: z.string().nullable(),
})

/** A worker asks for work; waits on the server up to `waitMillis`. */
export const nextBlockRequestSchema = z.strictObject({
  pool: z.string(),
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
  block: plannedBlockSchema,
  sampling: samplingSchema,
  seed: z.string(),
  /** Saved rounds of this take without warmups, by number: what a resumed block goes on from. */
  rounds: z.array(roundSchema).readonly(),
})
export type TakenBlock = z.infer<typeof takenBlockSchema>

export const renewRequestSchema = z.strictObject({ token: z.string() })
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
})
export type CellEnd = z.infer<typeof cellEndSchema>
export const finishBlockRequestSchema = z.strictObject({
  token: z.string(),
  stopReason: stopReasonSchema,
  cells: z.array(cellEndSchema).readonly(),
})
export type FinishBlockRequest = z.infer<typeof finishBlockRequestSchema>
