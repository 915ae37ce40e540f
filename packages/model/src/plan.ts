/**
 * A plan: the ordered blocks of one run, a pure function of campaign and seed, frozen in the store
 * when the run starts. What a worker needs to measure a block is all in the block.
 */
import { z } from 'zod'
import { datasetSpecSchema, engineSpecSchema } from './campaign.ts'
import { executionSchema } from './execution.ts'
import { samplingSchema, verdictRulesSchema } from './sampling.ts'

/** What a cell is to its block. A self-check is the baseline measured a second time. */
export const cellRoleSchema = z.enum(['baseline', 'candidate', 'self-check'])
export type CellRole = z.infer<typeof cellRoleSchema>

/** The level of each parameter or heading, by name, as text. */
export const levelsSchema = z.record(z.string(), z.string())
export type Levels = z.infer<typeof levelsSchema>

/** One variant in a plan. */
export const plannedCellSchema = z.strictObject({
  /** Unique in the run: `<block id>.c<index from 1>`. */
  id: z.string(),
  /** The label under which it is printed. */
  label: z.string(),
  role: cellRoleSchema,
  /** Digest of sorted key=value pairs, benchmark version, command and execution (SHA-256, hex). */
  variantId: z.string(),
  engine: engineSpecSchema,
  mode: z.string(),
  dataset: datasetSpecSchema.nullable(),
  /** Levels of the benchmark's parameters. */
  parameters: levelsSchema,
  /** For `exec`: program and arguments, their `${name}` places still open; null otherwise. */
  command: z.array(z.string()).readonly().nullable(),
  /** How samples are executed, places in hooks still open; absent: `plainExecution`. */
  execution: executionSchema.exactOptional(),
  /**
   * Where the command of `exec` and hooks start: the folder in which the run was started. Absent: the
   * folder in which the worker was started. Not part of the variant's identity.
   */
  workingDirectory: z.string().exactOptional(),
  /** Why the engine cannot run this variant; null when it can. */
  unsupported: z.string().nullable(),
})
export type PlannedCell = z.infer<typeof plannedCellSchema>

/** Cells that differ only in the compared factor; measured together on one host, interleaved. */
export const plannedBlockSchema = z.strictObject({
  /** Unique in the run: `b<number>`, one-based, in plan order. */
  id: z.string(),
  /** Keys that all cells share, in the report's words: `data-env-vars.name`, `benchmark.name`... */
  headings: levelsSchema,
  benchmark: z.strictObject({ name: z.string(), version: z.int() }),
  /** The class of hosts that may measure it; absent: `defaultPool`. */
  pool: z.string().exactOptional(),
  /** First the baseline, then candidates in the campaign's order, then a self-check if any. */
  cells: z.array(plannedCellSchema).min(1).readonly(),
})
export type PlannedBlock = z.infer<typeof plannedBlockSchema>

/**
 * How the samples of two cells belong together: by round, or not at all, as in imported results
 * that were measured one after the other.
 */
export const pairingSchema = z.enum(['paired', 'unpaired'])
export type SamplePairing = z.infer<typeof pairingSchema>

/** The whole plan. */
export const planSchema = z.strictObject({
  campaign: z.string(),
  /** SHA-256 of the campaign's YAML text. */
  campaignDigest: z.string(),
  seed: z.string(),
  comparedFactor: z.string(),
  sampling: samplingSchema,
  verdict: verdictRulesSchema,
  /** Absent: paired, as everything is that Assay measures itself. */
  pairing: pairingSchema.exactOptional(),
  blocks: z.array(plannedBlockSchema).readonly(),
})
export type Plan = z.infer<typeof planSchema>
