/**
 * A campaign after parsing: every shorthand of the YAML written out, every level the source text of
 * its scalar. The YAML itself, with its locations, belongs to the package `campaign`.
 */
import { z } from 'zod'
import { argvSchema, executionSchema } from './execution.ts'
import { samplingSchema, verdictRulesSchema } from './sampling.ts'

/** A generated repository by name: how it is made. `revisions` follow from preset and scale. */
export const generatedDatasetSchema = z.strictObject({
  name: z.string(),
  /** The generator's preset. */
  generate: z.string(),
  /** Fraction of the original's changesets. */
  scale: z.number().gt(0),
  /** Storage format tags, e.g. zstd, sparse-revlog. */
  format: z.array(z.string()).readonly(),
  seed: z.string(),
})
export type GeneratedDatasetSpec = z.infer<typeof generatedDatasetSchema>

/** Where a repository comes from that was not generated: a kind of the catalogue, and what it was told. */
export const datasetSourceSchema = z.strictObject({
  kind: z.string(),
  /** A path or a URL; a path that is not absolute is one of whoever prepares it. */
  location: z.string(),
  /** The kind's options (`sha256`, `revisions`), with all their values. */
  options: z.record(z.string(), z.array(z.string()).readonly()),
})
export type DatasetSource = z.infer<typeof datasetSourceSchema>

/** A repository by name that is somewhere already. */
export const sourcedDatasetSchema = z.strictObject({
  name: z.string(),
  source: datasetSourceSchema,
  /** Storage format tags that it is converted to; none: as it comes. */
  format: z.array(z.string()).readonly(),
  /** The digest that it must have once it is prepared; absent: whatever it has. */
  digest: z.string().exactOptional(),
})
export type SourcedDatasetSpec = z.infer<typeof sourcedDatasetSchema>

/** A dataset by name. */
export const datasetSpecSchema = z.union([generatedDatasetSchema, sourcedDatasetSchema])
export type DatasetSpec = z.infer<typeof datasetSpecSchema>

/** An engine build: what executes. */
export const engineSpecSchema = z.strictObject({
  name: z.string(),
  flavor: z.string(),
  /** The build's version as written, for an engine that takes one; absent is whatever is installed. */
  version: z.string().exactOptional(),
  /** For the engine `fake`: the medians it plays back, by variant heading and label; else empty. */
  script: z.string().nullable(),
})
export type EngineSpec = z.infer<typeof engineSpecSchema>

/** One benchmark with the levels of its parameters; the combinations are the plan's work. */
export const benchmarkSpecSchema = z.strictObject({
  name: z.string(),
  parameters: z.record(z.string(), z.array(z.string()).readonly()),
  /** For `exec`: program and arguments, with `${factor}` places; null where commands are compared. */
  command: z.array(z.string()).readonly().nullable(),
  /** How samples are executed; absent: as plain as can be (`plainExecution`). */
  execution: executionSchema.exactOptional(),
})
export type BenchmarkSpec = z.infer<typeof benchmarkSpecSchema>

/** A free label set against a level of the compared factor. */
export const labelledLevelSchema = z.strictObject({
  label: z.string(),
  level: z.string(),
  /** Of the compared factor `command`: what it stands for; absent for any other factor. */
  command: argvSchema.exactOptional(),
})
export type LabelledLevel = z.infer<typeof labelledLevelSchema>

/** The compared factor; its first label is the baseline. */
export const compareSchema = z.strictObject({
  factor: z.string(),
  levels: z.array(labelledLevelSchema).min(1).readonly(),
})
export type Compare = z.infer<typeof compareSchema>

/** A condition on a variant: every named factor has that level (or label). */
export const selectionSchema = z.record(z.string(), z.string())
export type Selection = z.infer<typeof selectionSchema>

/** A whole campaign, ready to be expanded. */
export const campaignSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** The access mode of everything that does not compare modes. */
  mode: z.string(),
  compare: compareSchema,
  engines: z.array(engineSpecSchema).min(1).readonly(),
  datasets: z.array(datasetSpecSchema).readonly(),
  benchmarks: z.array(benchmarkSpecSchema).min(1).readonly(),
  exclude: z.array(selectionSchema).readonly(),
  sampling: samplingSchema,
  verdict: verdictRulesSchema,
  /** Classes of hosts, on each of which everything is measured once; absent: on `defaultPool`. */
  pools: z.array(z.string()).min(1).readonly().exactOptional(),
})
export type Campaign = z.infer<typeof campaignSchema>

/**
 * Whether a campaign says which programs are started, by commands or hooks: what a server may not
 * let a client decide.
 */
export const startsPrograms = ({ benchmarks, compare }: Campaign): boolean =>
  compare.levels.some(({ command }) => command !== undefined) ||
  benchmarks.some(
    ({ command, execution }) => command !== null || Object.keys(execution?.hooks ?? {}).length > 0,
  )

/**
 * Whether a campaign says which files or addresses of the host are read: neither may a server let a
 * client decide that.
 */
export const namesSources = ({ datasets }: Campaign): boolean =>
  datasets.some((dataset) => 'source' in dataset)
