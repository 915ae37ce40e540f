/** Use-case: which blocks and cells would a run measure? Nothing is stored or queued. */
import { locatedDataset } from '@assay/bench'
import { expandCampaign } from '@assay/campaign'
import {
  type Campaign,
  type Catalogue,
  defaultPool,
  type Plan,
  type PlannedBlock,
  type Sampling,
  textDigest,
} from '@assay/model'
import { selectionEmpty, selectionUnknown } from './errors.ts'
import { type CampaignText, validateCampaign } from './validate-campaign.ts'

/** What a person may change for one run without touching the YAML. */
export interface PlanOverrides {
  /** Decides the order inside each round. */
  readonly seed: string
  /** Only blocks with all of these; keys as in the headings, or their last word. */
  readonly only: readonly KeyValue[]
  /** No blocks with any of these. */
  readonly skip: readonly KeyValue[]
  /** A fast look: few rounds, not meant for a decision. */
  readonly quick: boolean
  /**
   * Where commands and hooks start, on whichever host; without it, the folder in which the worker
   * was started.
   */
  readonly workingDirectory?: string
  /** Where everything is measured, instead of in the campaign's pools. */
  readonly pool?: string
  /** Fewest and most rounds of a block, instead of the campaign's; `quick` goes before it. */
  readonly rounds?: Sampling['rounds']
}

/** `dataset=netbeans`, `benchmark=hg.command.log`, `revs=any-1-extra-rev`... */
export interface KeyValue {
  readonly key: string
  readonly value: string
}

/** Rounds of a quick run: enough to see large effects, too few to decide small ones. */
const quickRounds = { min: 5, max: 5 } as const

/** Short names of the headings that are no parameters. */
const headingByShortName: Readonly<Record<string, string>> = {
  dataset: 'data-env-vars.name',
  benchmark: 'benchmark.name',
  engine: 'bin-env-vars.engine',
  flavor: 'bin-env-vars.hg.flavor',
  mode: 'bin-env-vars.mode',
}

const has = ({ headings, pool = defaultPool }: PlannedBlock, { key, value }: KeyValue): boolean => {
  if (key === 'pool' && pool === value) return true
  const heading = headingByShortName[key] ?? `benchmark.variants.${key}`
  return headings[heading] === value || headings[key] === value
}

const selected = (plan: Plan, overrides: PlanOverrides): Plan => {
  for (const one of [...overrides.only, ...overrides.skip]) {
    const isKnown = plan.blocks.some((block) => has(block, one))
    if (!isKnown) throw selectionUnknown(`${one.key}=${one.value}`)
  }
  const blocks = plan.blocks.filter(
    (block) =>
      overrides.only.every((wanted) => has(block, wanted)) &&
      !overrides.skip.some((unwanted) => has(block, unwanted)),
  )
  if (blocks.length === 0) throw selectionEmpty()
  return { ...plan, blocks }
}

/** A plan's budget is a block's: the run's, shared equally by the blocks that can be measured. */
const sharedBudget = (plan: Plan): Sampling => {
  const { budgetSeconds } = plan.sampling
  if (budgetSeconds === null) return plan.sampling
  const measurable = plan.blocks.filter(({ cells }) =>
    cells.some(({ unsupported }) => unsupported === null),
  ).length
  return { ...plan.sampling, budgetSeconds: budgetSeconds / Math.max(1, measurable) }
}

/** Paths of datasets are those of who plans, whichever process prepares them. */
const located = (campaign: Campaign, workingDirectory: string): Campaign => ({
  ...campaign,
  datasets: campaign.datasets.map((dataset) => locatedDataset(dataset, workingDirectory)),
})

/** The frozen plan of a run of this campaign. */
export const planCampaign = (
  campaignText: CampaignText,
  overrides: PlanOverrides,
  catalogue: Catalogue,
): Plan => {
  const written = validateCampaign(campaignText, catalogue)
  const { pool, rounds } = overrides
  const { seed, workingDirectory } = overrides
  const placed = workingDirectory === undefined ? written : located(written, workingDirectory)
  const campaign = pool === undefined ? placed : { ...placed, pools: [pool] }
  const campaignDigest = textDigest(campaignText.text)
  const whole = expandCampaign(campaign, {
    ...{ seed, campaignDigest, catalogue },
    ...(workingDirectory === undefined ? {} : { workingDirectory }),
  })
  const plan = selected(whole, overrides)
  const shared = sharedBudget(plan)
  const sampling = rounds === undefined ? shared : { ...shared, rounds }
  return { ...plan, sampling: overrides.quick ? { ...sampling, rounds: quickRounds } : sampling }
}
