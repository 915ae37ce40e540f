/**
 * What happened to a run, in order: the store writes an event in the transaction of the change that
 * it tells of, and numbers it. Whoever follows a run shows these and goes on after any of them.
 */
import { z } from 'zod'
import { blockStatusSchema, cellStatusSchema, runStatusSchema, stopReasonSchema } from './run.ts'

const place = {
  /** Counts up over all runs, never twice the same; a client that was away goes on after its last. */
  id: z.int(),
  /** Milliseconds since 1970. */
  at: z.number(),
  runId: z.string(),
}

/** A run was created, began, or ended. With its end everything that was open in it has ended too. */
export const runEventSchema = z.strictObject({
  ...place,
  type: z.literal('run'),
  status: runStatusSchema,
  reason: z.string().nullable(),
})

/** A block was taken, went back to the queue, ended, or died. */
export const blockEventSchema = z.strictObject({
  ...place,
  type: z.literal('block'),
  blockId: z.string(),
  status: blockStatusSchema,
  attempts: z.int(),
  /** Who took it, or gave it up; null where nobody did. */
  worker: z.string().nullable(),
  stopReason: stopReasonSchema.nullable(),
  /** Why it went back or died; null otherwise. */
  reason: z.string().nullable(),
})

/** A cell ended. */
export const cellEventSchema = z.strictObject({
  ...place,
  type: z.literal('cell'),
  blockId: z.string(),
  cellId: z.string(),
  status: cellStatusSchema,
  reason: z.string().nullable(),
})

/** A round was saved. */
export const roundEventSchema = z.strictObject({
  ...place,
  type: z.literal('round'),
  blockId: z.string(),
  take: z.int(),
  round: z.int(),
  warmup: z.boolean(),
  /** Samples of the round, and how many of them are not good. */
  samples: z.int(),
  bad: z.int(),
})

/** Something that happened to a run. */
export const runChangeSchema = z.discriminatedUnion('type', [
  runEventSchema,
  blockEventSchema,
  cellEventSchema,
  roundEventSchema,
])
export type RunChange = z.infer<typeof runChangeSchema>

/**
 * Events between a client's last and the oldest that is kept are gone: it should look at the run
 * anew. Its `id` is where events go on.
 */
export const gapEventSchema = z.strictObject({ id: z.int(), type: z.literal('gap') })

/** The stream of a run is over: it has ended, and everything was told. */
export const endEventSchema = z.strictObject({
  id: z.int(),
  type: z.literal('end'),
  runId: z.string(),
  status: runStatusSchema,
})

/** What a stream of events holds. */
export const streamEventSchema = z.discriminatedUnion('type', [
  runEventSchema,
  blockEventSchema,
  cellEventSchema,
  roundEventSchema,
  gapEventSchema,
  endEventSchema,
])
export type StreamEvent = z.infer<typeof streamEventSchema>
