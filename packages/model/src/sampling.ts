/** How a campaign is sampled and what counts as a change: the rules that travel with a run. */
import { z } from 'zod'

/** Sampling rules. Rounds stop at `precision`, never at significance. */
export const samplingSchema = z.strictObject({
  /** Fewest and most rounds of a block. */
  rounds: z.strictObject({ min: z.int().min(1), max: z.int().min(1) }),
  /** Stop once the interval of every comparison is at most this half-width (0.01 = 1 %). */
  precision: z.number().gt(0),
  /** Unjudged rounds before the first. */
  warmups: z.int().min(0),
  /** State of the page cache at the start of a sample. */
  cache: z.enum(['warm', 'cold']),
  /**
   * The longest that measuring may take, in seconds; null is no limit. In a campaign of the whole
   * run, in a plan of one block: its equal share.
   */
  budgetSeconds: z.number().gt(0).nullable(),
  /** Whether each block measures its baseline twice, to report its own noise floor. */
  selfCheck: z.boolean(),
  /** The longest one sample may take, in seconds. */
  timeoutSeconds: z.number().gt(0),
})
export type Sampling = z.infer<typeof samplingSchema>

/** The metric that is judged where a campaign names none: wall-clock time of the child. */
export const primaryMetric = 'wallSeconds'

/** What counts as a change. Fractions: 0.01 is 1 %. */
export const verdictRulesSchema = z.strictObject({
  /** What is judged, by name; the first is the primary one, each further one a family of its own. */
  metrics: z.array(z.string()).min(1).readonly().default([primaryMetric]),
  /** Smallest |effect| of a regression or improvement. */
  threshold: z.number().min(0),
  /** Half-width of the band inside which a row is `unchanged`. */
  tolerance: z.number().gt(0),
  /** Smallest difference of medians of a regression or improvement, in seconds. */
  minDifferenceSeconds: z.number().min(0),
  /** False-discovery rate of the whole report (Benjamini and Hochberg 1995). */
  falseDiscoveryRate: z.number().gt(0).lt(1),
})
export type VerdictRules = z.infer<typeof verdictRulesSchema>
