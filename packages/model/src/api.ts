/** Requests and answers of the HTTP API (`/api/v1`): one pair per endpoint, shared by client and server. */
import { z } from 'zod'
import { fingerprintSchema } from './host.ts'
import { cellRoleSchema, levelsSchema, plannedBlockSchema, plannedCellSchema } from './plan.ts'
import { comparisonSchema, summarySchema } from './report.ts'
import {
  blockStatusSchema,
  cellStateSchema,
  labelsSchema,
  prioritySchema,
  runSchema,
  stopReasonSchema,
} from './run.ts'
import { sampleSchema } from './sample.ts'
import { samplingSchema } from './sampling.ts'
import { poolNameSchema } from './worker.ts'

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

/** `KEY=VALUE`, as on the command line: `dataset=netbeans`, `limit-rev=1000`. */
export const keyValueSchema = z.string().regex(/^[^=]+=/, 'write KEY=VALUE')

/** What a person may change for one run without touching the YAML. */
const overridesShape = {
  /** Decides the order inside each round; made up where it is not given. */
  seed: z.string().min(1).max(200).exactOptional(),
  /** Only blocks with all of these. */
  only: z.array(keyValueSchema).max(100).readonly().exactOptional(),
  /** No blocks with any of these. */
  skip: z.array(keyValueSchema).max(100).readonly().exactOptional(),
  /** A fast look: few rounds, not meant for a decision. */
  quick: z.boolean().exactOptional(),
  /** Fewest and most rounds of each block. */
  rounds: z
    .strictObject({ min: z.int().min(1), max: z.int().min(1).max(10_000) })
    .refine(({ min, max }) => min <= max, 'min is at most max')
    .exactOptional(),
  /** Where everything is measured, instead of where the campaign says. */
  pool: poolNameSchema.exactOptional(),
}

/** What a run is found by, and when it is its turn. */
const runFactsShape = {
  name: z.string().max(200).exactOptional(),
  labels: labelsSchema.exactOptional(),
  priority: prioritySchema.exactOptional(),
}

/** Which campaign: of the server by name, or as `name@digest`, or posted. */
const campaignShape = { campaign: z.string().exactOptional(), yaml: z.string().exactOptional() }

const isOneCampaign = (of: { readonly campaign?: string; readonly yaml?: string }): boolean =>
  (of.campaign === undefined) !== (of.yaml === undefined)

const oneCampaign = 'give either `campaign`, a name, or `yaml`, a text'

/** Plan a campaign: of the server, by name, or of posted YAML. Nothing is stored. */
export const planRequestSchema = z
  .strictObject({ ...campaignShape, ...overridesShape })
  .refine(isOneCampaign, oneCampaign)
export type PlanRequest = z.infer<typeof planRequestSchema>

/** What a run would measure, and about how long it would take. */
export const planResponseSchema = z.strictObject({
  campaign: z.string(),
  campaignDigest: z.string(),
  comparedFactor: z.string(),
  sampling: samplingSchema,
  counts: z.strictObject({
    blocks: z.int(),
    cells: z.int(),
    supported: z.int(),
    unsupported: z.int(),
  }),
  /** Datasets apart; each sample taken to cost `sampleSeconds`. */
  estimate: z.strictObject({
    sampleSeconds: z.number(),
    leastSeconds: z.number(),
    mostSeconds: z.number(),
  }),
  blocks: z.array(plannedBlockSchema).readonly(),
})
export type PlanResponse = z.infer<typeof planResponseSchema>

/** Start a run: of a campaign of the server, by name, or of posted YAML. */
export const startRunRequestSchema = z
  .strictObject({ ...campaignShape, ...overridesShape, ...runFactsShape })
  .refine(isOneCampaign, oneCampaign)
export type StartRunRequest = z.infer<typeof startRunRequestSchema>

export const startRunResponseSchema = z.strictObject({
  id: z.string(),
  blocks: z.int(),
  cells: z.int(),
})

/** Measure a run's plan again, as a new run. */
export const rerunRequestSchema = z.strictObject({
  /** Only blocks with a failed cell. */
  failed: z.boolean().default(false),
  seed: z.string().min(1).max(200).exactOptional(),
  ...runFactsShape,
})

/** Why the numbers of a run are worth nothing. */
export const markInvalidRequestSchema = z.strictObject({
  reason: z.string().trim().min(1).max(2000),
})

/** Store a version of a campaign. */
export const saveCampaignRequestSchema = z.strictObject({
  yaml: z.string(),
  /** What it is called where the YAML does not say. */
  name: z.string().min(1).max(80).exactOptional(),
})
export const savedCampaignSchema = z.strictObject({ name: z.string(), digest: z.string() })

/** A campaign in a list. */
export const campaignEntrySchema = z.strictObject({
  name: z.string(),
  /** Its file in the server's folder; null for one that was only ever posted. */
  file: z.string().nullable(),
  /** SHA-256 of the YAML: of the file, else of the version that was stored last. */
  digest: z.string(),
  /** How many versions are stored, and when the last was; null for none. */
  versions: z.int(),
  savedAt: z.number().nullable(),
  /** How many runs there were, of all versions. */
  runs: z.int(),
  /** What is wrong with the file; null for one that can be run. */
  problem: z.string().nullable(),
})
export type CampaignEntry = z.infer<typeof campaignEntrySchema>
export const listCampaignsResponseSchema = z.strictObject({
  campaigns: z.array(campaignEntrySchema).readonly(),
})

/** A text of a campaign; `savedAt` is null for a file that was not run or stored yet. */
export const campaignVersionSchema = z.strictObject({
  digest: z.string(),
  savedAt: z.number().nullable(),
  runs: z.int(),
  yaml: z.string(),
})
export const campaignResponseSchema = z.strictObject({
  name: z.string(),
  file: z.string().nullable(),
  /** Newest first. */
  versions: z.array(campaignVersionSchema).readonly(),
})
export type CampaignResponse = z.infer<typeof campaignResponseSchema>

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

/** A cell with what was planned for it. */
export const cellResponseSchema = cellStateSchema.extend({
  headings: levelsSchema,
  planned: plannedCellSchema,
})

export type CellResponse = z.infer<typeof cellResponseSchema>

/** A block as it stands, with what a person needs to know when it does not go on. */
export const blockStateSchema = z.strictObject({
  blockId: z.string(),
  /** Place in the plan, from 0. */
  position: z.int(),
  headings: levelsSchema,
  pool: z.string(),
  status: blockStatusSchema,
  stopReason: stopReasonSchema.nullable(),
  /** Why it is dead; null otherwise. */
  reason: z.string().nullable(),
  /** How often it was taken. */
  attempts: z.int(),
  /** The take that is judged, and who holds it; null before the first. */
  take: z
    .strictObject({
      number: z.int(),
      worker: z.string(),
      fingerprint: z.string().describe('digest of the fingerprint'),
      savedRounds: z.int(),
      takenAt: z.number(),
      leaseUntil: z.number().nullable().describe('null while nobody holds it'),
    })
    .nullable(),
  /** Its failed cells, each with the end of the stderr of its last bad sample. */
  failures: z
    .array(
      z.strictObject({ cellId: z.string(), reason: z.string().nullable(), stderr: z.string() }),
    )
    .readonly(),
})
export type BlockResponse = z.infer<typeof blockStateSchema>
export const listBlocksResponseSchema = z.strictObject({
  blocks: z.array(blockStateSchema).readonly(),
})

/** A take with everybody who ever held it. */
export const takeStateSchema = z.strictObject({
  number: z.int(),
  /** Whether its samples are the ones that are judged: those of the block's highest take. */
  judged: z.boolean(),
  fingerprint: fingerprintSchema,
  savedRounds: z.int(),
  savedWarmups: z.int(),
  attempts: z
    .array(
      z.strictObject({
        worker: z.string(),
        takenAt: z.number(),
        /** When it gave the take up or lost it, and why; null for the last who held it. */
        endedAt: z.number().nullable(),
        reason: z.string().nullable(),
      }),
    )
    .readonly(),
})
export type TakeState = z.infer<typeof takeStateSchema>
export const listTakesResponseSchema = z.strictObject({
  takes: z.array(takeStateSchema).readonly(),
})

/** A row of the report by itself: a candidate against the baseline of its block. */
export const comparisonRowSchema = z.strictObject({
  blockId: z.string(),
  cellId: z.string(),
  headings: levelsSchema,
  label: z.string(),
  role: cellRoleSchema,
  baseline: z
    .strictObject({
      cellId: z.string(),
      label: z.string(),
      summary: summarySchema.nullable(),
    })
    .nullable(),
  summary: summarySchema.nullable(),
  comparison: comparisonSchema,
})
export type ComparisonRow = z.infer<typeof comparisonRowSchema>
export const listComparisonsResponseSchema = z.strictObject({
  metric: z.strictObject({ name: z.string(), unit: z.string() }),
  comparisons: z.array(comparisonRowSchema).readonly(),
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
