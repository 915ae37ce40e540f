/**
 * How a sample is executed beside its command: what runs around it, how often it repeats itself, and
 * what makes it good. Part of a variant's identity, since each of these changes what is measured.
 */
import { z } from 'zod'

/** Program and arguments, literal but for `${name}` places; no shell. */
export const argvSchema = z.array(z.string()).min(1).readonly()

/**
 * Commands around what is timed, none of them timed: `setup` once before a cell's first warmup,
 * `prepare` before and `conclude` after each sample, `cleanup` once at the end, whatever happened.
 */
export const hooksSchema = z.strictObject({
  setup: argvSchema.exactOptional(),
  prepare: argvSchema.exactOptional(),
  conclude: argvSchema.exactOptional(),
  cleanup: argvSchema.exactOptional(),
})
export type Hooks = z.infer<typeof hooksSchema>
export type HookName = keyof Hooks

/** Names of all hooks, in the order in which they run. */
export const hookNames = ['setup', 'prepare', 'conclude', 'cleanup'] as const satisfies HookName[]

/**
 * What the child's stdout must be. Checked in warmups, and in every sample if asked: then the child
 * writes into a file instead of discarding its output, which takes time of its own.
 */
export const outputCheckSchema = z.union([
  z.strictObject({ contains: z.string().min(1), every: z.boolean() }),
  z.strictObject({ sha256: z.string(), every: z.boolean() }),
])
export type OutputCheck = z.infer<typeof outputCheckSchema>

/** How samples of a benchmark are executed. */
export const executionSchema = z.strictObject({
  hooks: hooksSchema,
  /** Exit codes of a good sample, ascending; `any`: whatever code the child exits with. */
  exitCodes: z.union([z.literal('any'), z.array(z.int().min(0).max(255)).min(1).readonly()]),
  output: outputCheckSchema.nullable(),
  /** Children that are started at once in one sample. */
  parallel: z.int().min(1),
  /** What a `${loops}` place receives; `auto` is found out once for a block. Times are for one loop. */
  loops: z.union([z.literal('auto'), z.int().min(1)]),
  /** Variables of the child and its hooks beside those that all have; absent where there are none. */
  env: z.record(z.string(), z.string()).exactOptional(),
  /**
   * Each sample finds its dataset as it was prepared, in a copy that it may write into. Absent where
   * it is not asked for; a benchmark that is declared to write has its copies without it.
   */
  freshCopy: z.literal(true).exactOptional(),
})
export type Execution = z.infer<typeof executionSchema>

/** One child, once, exit code 0, nothing around it: what holds where a campaign says nothing. */
export const plainExecution: Execution = {
  hooks: {},
  exitCodes: [0],
  output: null,
  parallel: 1,
  loops: 1,
}
