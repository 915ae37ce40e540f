/** Workers and pools as a server knows them: who can measure, on what, and what waits for whom. */
import { z } from 'zod'
import { fingerprintSchema } from './host.ts'

/** What pools are called: short, and the same in a URL, a queue's name and a heading. */
export const poolNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits and . _ -, at most 64')

/** The pool of a block whose campaign names none. */
export const defaultPool = 'default'

/** A worker says who it is, before it asks for its first block and after every absence. */
export const registerWorkerRequestSchema = z.strictObject({
  /** Unique among the workers of a server; the name under which it takes blocks. */
  name: z.string().min(1).max(200),
  pool: poolNameSchema,
  /** `assayVersion` of the worker. */
  version: z.string().min(1).max(50),
  /** `workProtocol` of the worker. */
  protocol: z.int(),
  fingerprint: fingerprintSchema,
})
export type RegisterWorkerRequest = z.infer<typeof registerWorkerRequestSchema>

/** What the server expects of a worker that it accepts. */
export const registerWorkerResponseSchema = z.strictObject({
  name: z.string(),
  pool: z.string(),
  /** How long a take holds without being renewed. */
  leaseMillis: z.int(),
  version: z.string(),
  protocol: z.int(),
})
export type RegisterWorkerResponse = z.infer<typeof registerWorkerResponseSchema>

/** A worker as a server knows it. Times are milliseconds since 1970. */
export const workerStateSchema = z.strictObject({
  name: z.string(),
  pool: z.string(),
  version: z.string(),
  fingerprint: fingerprintSchema,
  registeredAt: z.number(),
  /** When it last asked for a block, took one, renewed its lease or saved a round. */
  lastSeenAt: z.number(),
  /** Whether it was seen lately: within one and a half of the longest waits for a block. */
  alive: z.boolean(),
  /** What it measures; null while it does not. */
  block: z
    .strictObject({ runId: z.string(), blockId: z.string(), leaseUntil: z.number() })
    .nullable(),
})
export type WorkerState = z.infer<typeof workerStateSchema>

export const listWorkersResponseSchema = z.strictObject({
  workers: z.array(workerStateSchema).readonly(),
})

/** A pool: a class of hosts, with the blocks that wait for one of them. */
export const poolStateSchema = z.strictObject({
  pool: z.string(),
  /** Blocks that wait to be measured. */
  waiting: z.int(),
  /** Blocks that are being measured. */
  measuring: z.int(),
  /** A paused pool hands out nothing; what is being measured goes on. */
  paused: z.boolean(),
  /** Workers that are alive. */
  workers: z.int(),
})
export type PoolState = z.infer<typeof poolStateSchema>

export const listPoolsResponseSchema = z.strictObject({
  pools: z.array(poolStateSchema).readonly(),
})

/** Pause a pool and wait until nothing of it is measured any more. */
export const drainPoolRequestSchema = z.strictObject({
  /** The longest to wait for what is being measured. */
  waitMillis: z.int().min(0).max(60_000).default(0),
})
/** Drained once `measuring` is 0; the pool stays paused until it is resumed. */
export const drainPoolResponseSchema = poolStateSchema.extend({ drained: z.boolean() })
