/** A campaign to its plan: blocks and cells with their headings, identities and what is unsupported. */
import {
  type Campaign,
  type Catalogue,
  type DatasetSpec,
  defaultPool,
  digestOf,
  type EngineDeclaration,
  type Plan,
  type PlannedBlock,
  type PlannedCell,
} from '@assay/model'
import { engineTitle } from '../engine-title.ts'
import { notInCatalogue } from '../errors.ts'
import { type BlockVariant, blockVariants, type Candidate } from './block-variants.ts'
import { headingsOf, showsFlavor } from './headings.ts'

/** What a plan is made with, beside the campaign. */
export interface ExpandOptions {
  /** Fixes the order of every round. */
  readonly seed: string
  /** SHA-256 of the campaign's YAML text. */
  readonly campaignDigest: string
  readonly catalogue: Catalogue
  /** Where commands and hooks start; without it, the folder in which each worker was started. */
  readonly workingDirectory?: string
}

const engineOf = (name: string, catalogue: Catalogue): EngineDeclaration => {
  const engine = catalogue.engines.find((one) => one.name === name)
  if (engine === undefined) throw notInCatalogue('engine', name)
  return engine
}

const datasetReason = (dataset: DatasetSpec | null, { formats }: Catalogue): string | null => {
  // What comes from elsewhere is converted by hg, which says itself what it cannot.
  if (dataset === null || 'source' in dataset) return null
  const missing = dataset.format.filter((format) => !formats.includes(format))
  return missing.length === 0
    ? null
    : `datasets cannot be generated yet with the storage format ${missing.join(', ')}`
}

const engineReason = (cell: Candidate, engine: EngineDeclaration): string | null => {
  const { flavor } = cell.engine
  if (!engine.flavors.includes(flavor)) {
    return `the engine ${engine.name} has no flavor ${flavor}; it has ${engine.flavors.join(', ')}`
  }
  const { benchmark, mode, parameters } = cell
  return engine.unsupportedReason({ benchmark, flavor, mode, parameters })
}

/** A class of hosts; named in headings only beside others. */
interface HostClass {
  readonly pool: string
  readonly isNamed: boolean
}

/** A block's variant with the hosts that measure it. */
interface Placed {
  readonly variant: BlockVariant
  readonly host: HostClass
}

const hostClasses = ({ pools = [defaultPool] }: Campaign): readonly HostClass[] =>
  pools.map((pool) => ({ pool, isNamed: pools.length > 1 }))

/**
 * A variant's identity: everything that says what is measured, nothing that says how it is printed
 * or compared.
 */
const variantIdOf = (cell: Candidate, { variant, host }: Placed): string =>
  digestOf({
    benchmark: cell.benchmark,
    version: variant.declaration.version,
    parameters: cell.parameters,
    engine: engineTitle(cell.engine),
    flavor: cell.engine.flavor,
    mode: cell.mode,
    dataset: cell.dataset,
    command: cell.command,
    ...executionOf(variant),
    ...(host.isNamed ? { pool: host.pool } : {}),
  })

/** Only where it is not plain: a campaign that says nothing has the identity it always had. */
const executionOf = ({ benchmark: { execution } }: BlockVariant): Pick<PlannedCell, 'execution'> =>
  execution === undefined ? {} : { execution }

const plannedCell = (
  cell: Candidate,
  placed: Placed,
  { catalogue, workingDirectory }: Omit<ExpandOptions, 'seed' | 'campaignDigest'>,
): Omit<PlannedCell, 'id'> => {
  const { label, engine, mode, dataset, parameters, command } = cell
  const { variant } = placed
  const starts = command !== null || variant.benchmark.execution !== undefined
  return {
    label,
    role: cell.place === 0 ? 'baseline' : 'candidate',
    variantId: variantIdOf(cell, placed),
    engine,
    mode,
    dataset,
    parameters,
    command,
    ...executionOf(variant),
    ...(workingDirectory === undefined || !starts ? {} : { workingDirectory }),
    unsupported:
      datasetReason(dataset, catalogue) ?? engineReason(cell, engineOf(engine.name, catalogue)),
  }
}

/** The baseline once more, to show the noise; none where there is no baseline. */
const selfCheckOf = (cells: readonly Omit<PlannedCell, 'id'>[]): Omit<PlannedCell, 'id'>[] => {
  const baseline = cells.find(({ role }) => role === 'baseline')
  return baseline === undefined
    ? []
    : [{ ...baseline, label: selfCheckLabel(baseline.label), role: 'self-check' }]
}

/** The label of a baseline's second measurement. */
export const selfCheckLabel = (baseline: string): string => `${baseline} again`

const plannedBlock = (
  placed: Placed,
  campaign: Campaign,
  { id, options }: { readonly id: string; readonly options: ExpandOptions },
): PlannedBlock => {
  const { catalogue } = options
  const { variant, host } = placed
  const measured = variant.candidates.map((cell) => plannedCell(cell, placed, options))
  const cells = campaign.sampling.selfCheck ? [...measured, ...selfCheckOf(measured)] : measured
  const flavored = variant.candidates.some(({ engine }) =>
    showsFlavor(engineOf(engine.name, catalogue)),
  )
  return {
    id,
    headings: {
      ...headingsOf(variant, campaign.compare.factor, flavored),
      ...(host.isNamed ? { 'host-env-vars.pool': host.pool } : {}),
    },
    benchmark: { name: variant.benchmark.name, version: variant.declaration.version },
    ...(campaign.pools === undefined ? {} : { pool: host.pool }),
    cells: cells.map((cell, index) => ({ id: `${id}.c${index + 1}`, ...cell })),
  }
}

/**
 * The plan of one run: a pure function of its arguments. Its sampling is the campaign's: a budget is
 * of the whole run until whoever starts it shares it out. Throws `campaign-not-in-catalogue` for
 * names that the catalogue lacks.
 */
export const expandCampaign = (campaign: Campaign, options: ExpandOptions): Plan => {
  const { seed, campaignDigest, catalogue } = options
  const { name, compare, sampling, verdict } = campaign
  return {
    campaign: name,
    campaignDigest,
    seed,
    comparedFactor: compare.factor,
    sampling,
    verdict,
    blocks: [...blockVariants(campaign, catalogue)]
      .flatMap((variant) => hostClasses(campaign).map((host) => ({ variant, host })))
      .map((placed, index) => plannedBlock(placed, campaign, { id: `b${index + 1}`, options })),
  }
}
