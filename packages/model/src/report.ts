/**
 * A judged run as one tree of comparisons: the only thing every report format prints. Plain JSON;
 * no Infinity or NaN: what cannot be known is null.
 */
import { z } from 'zod'
import { cellRoleSchema, levelsSchema, pairingSchema } from './plan.ts'
import { reviewSchema } from './review.ts'
import { cellStatusSchema, runStatusSchema, stopReasonSchema } from './run.ts'
import { samplingSchema, verdictRulesSchema } from './sampling.ts'

/** What is said of a comparison. */
export const verdictSchema = z.enum([
  'regression',
  'improvement',
  'unchanged',
  'inconclusive',
  'failed',
  'unsupported',
  'not-comparable',
  'no-baseline',
  'indicative',
])
export type Verdict = z.infer<typeof verdictSchema>

/** A thing to know about a row that is not an error and never a veto. */
export const warningSchema = z.strictObject({
  /** Stable, e.g. `median-disagrees`, `too-few-rounds`. */
  code: z.string(),
  message: z.string(),
})
export type Warning = z.infer<typeof warningSchema>

/** Closed interval; for effects in natural-log ratios, for summaries in the metric's unit. */
export const intervalSchema = z.strictObject({ low: z.number(), high: z.number() })
export type Interval = z.infer<typeof intervalSchema>

/** Location and spread of a cell's good samples, in the metric's unit. */
export const summarySchema = z.strictObject({
  count: z.int().min(1),
  median: z.number(),
  best: z.number(),
  mean: z.number(),
  /** Median absolute deviation, unscaled. */
  mad: z.number(),
  /** Inner repeats of every sample, where there are more than one; times are for one. */
  loops: z.int().min(2).exactOptional(),
})
export type Summary = z.infer<typeof summarySchema>

/** A candidate set against the baseline of its block. */
export const comparisonSchema = z.strictObject({
  /**
   * Pairs in which both samples are good, and rounds measured so far; of unpaired sides, both are the
   * good samples of the smaller one.
   */
  pairs: z.int().min(0),
  rounds: z.int().min(0),
  /** Of the medians: relative (0.1038 is +10.38 %) and in the metric's unit; printed only. */
  change: z.number().nullable(),
  difference: z.number().nullable(),
  /**
   * ln(candidate / baseline): the median of all differences of logarithms between the sides, freed
   * of the drift that both share (Hodges and Lehmann 1962); of unpaired sides as they are.
   */
  effect: z.number().nullable(),
  /** 95 % and 90 % intervals of the effect. */
  interval95: intervalSchema.nullable(),
  interval90: intervalSchema.nullable(),
  /** Aligned ranks, unpaired Mann-Whitney; two-sided; and after Benjamini-Hochberg over the report. */
  pValue: z.number().nullable(),
  adjustedPValue: z.number().nullable(),
  /** Smallest |effect| that this many pairs would have shown, as a fraction; for inconclusive rows. */
  minimumDetectable: z.number().nullable(),
  /** Rounds in all that would decide, as far as this noise tells; null when unknown. */
  roundsNeeded: z.int().nullable(),
  verdict: verdictSchema,
  /** The verdict in one sentence for a person. */
  reason: z.string(),
  warnings: z.array(warningSchema).readonly(),
})
export type Comparison = z.infer<typeof comparisonSchema>

/** One printed line: a cell, and its comparison unless it is the baseline. */
export const reportRowSchema = z.strictObject({
  cellId: z.string(),
  label: z.string(),
  role: cellRoleSchema,
  status: cellStatusSchema,
  /** Why there is no summary, or null. */
  reason: z.string().nullable(),
  /** Why the cell's hook cleanup failed, which no number is worse for; absent where it did not. */
  cleanupFault: z.string().exactOptional(),
  summary: summarySchema.nullable(),
  comparison: comparisonSchema.nullable(),
})
export type ReportRow = z.infer<typeof reportRowSchema>

/** One block of rows under its headings. */
export const reportBlockSchema = z.strictObject({
  blockId: z.string(),
  headings: levelsSchema,
  stopReason: stopReasonSchema.nullable(),
  rows: z.array(reportRowSchema).readonly(),
})
export type ReportBlock = z.infer<typeof reportBlockSchema>

/** How many comparisons ended with each verdict; every verdict is there, also with 0. */
export const verdictCountsSchema = z.record(verdictSchema, z.int())
export type VerdictCounts = z.infer<typeof verdictCountsSchema>

/** A judged run. */
export const reportSchema = z.strictObject({
  run: z.strictObject({
    id: z.string(),
    name: z.string().nullable(),
    campaign: z.string(),
    campaignDigest: z.string(),
    seed: z.string(),
    status: runStatusSchema,
    createdAt: z.number(),
    /** A person's word that these numbers are worth nothing, and why; absent for most runs. */
    invalid: z.strictObject({ reason: z.string(), at: z.number() }).exactOptional(),
  }),
  comparedFactor: z.string(),
  /** The judged metric and its unit. */
  metric: z.strictObject({ name: z.string(), unit: z.string() }),
  /** How it was measured; null of imported numbers, whose source does not say. */
  sampling: samplingSchema.nullable(),
  rules: verdictRulesSchema,
  /** How samples were set against each other; absent: paired by round. */
  pairing: pairingSchema.exactOptional(),
  /** Largest |effect| of at least three self-checks, as ln ratio; null if not measured. */
  noiseFloor: z.number().nullable(),
  /** Digests of the fingerprints of the judged takes. */
  fingerprints: z.array(z.string()).readonly(),
  counts: verdictCountsSchema,
  warnings: z.array(warningSchema).readonly(),
  /** What people decided on this report, oldest first; absent where nobody has. */
  reviews: z.array(reviewSchema).readonly().exactOptional(),
  blocks: z.array(reportBlockSchema).readonly(),
})
export type Report = z.infer<typeof reportSchema>
