/** Evidence from plain numbers: what a run looks like to the judge, without a store or a host. */
import type {
  CellRole,
  CellStatus,
  Evidence,
  EvidenceSample,
  PlannedCell,
  Random,
  SamplePairing,
  VerdictRules,
} from '@assay/model'

/** A sample: a good value, or null for one that failed. */
export type Value = number | null

export interface CellOf {
  readonly label: string
  readonly role?: CellRole
  readonly values: readonly Value[]
  readonly status?: CellStatus
  readonly reason?: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly variantId?: string
  readonly loops?: number
  /** Processes that each sample left behind. */
  readonly stragglers?: number
}

export interface RunOf {
  readonly blocks: readonly (readonly CellOf[])[]
  readonly rules?: Partial<VerdictRules>
  readonly metric?: string
  readonly unit?: string
  readonly pairing?: SamplePairing
  readonly runId?: string
  readonly fingerprint?: string | null
}

const sampleOf = (
  value: Value,
  index: number,
  { loops = 1, stragglers }: CellOf,
): EvidenceSample => ({
  round: index + 1,
  position: 0,
  outcome: value === null ? 'failed' : 'good',
  value,
  loops,
  ...(stragglers === undefined ? {} : { stragglers }),
})

const plannedCell = (cell: CellOf, blockId: string, index: number): PlannedCell => ({
  id: `${blockId}.c${index + 1}`,
  label: cell.label,
  role: cell.role ?? (index === 0 ? 'baseline' : 'candidate'),
  variantId: cell.variantId ?? 'v',
  engine: { name: 'fake', flavor: 'default', script: null },
  mode: 'mmap-populate',
  dataset: null,
  parameters: cell.parameters ?? {},
  command: null,
  unsupported: cell.status === 'unsupported' ? (cell.reason ?? 'cannot') : null,
})

export const evidenceOf = (of: RunOf): Evidence => {
  const sampling = {
    rounds: { min: 20, max: 60 },
    precision: 0.01,
    warmups: 1,
    cache: 'warm',
    budgetSeconds: null,
    selfCheck: false,
    timeoutSeconds: 60,
  } as const
  const verdict = {
    metrics: ['wallSeconds'],
    threshold: 0.01,
    tolerance: 0.02,
    minDifferenceSeconds: 0,
    falseDiscoveryRate: 0.05,
    ...of.rules,
  }
  const shared = { campaign: 'test', campaignDigest: 'c0ffee', seed: '1' }
  return {
    run: {
      ...shared,
      id: of.runId ?? 'r1',
      name: null,
      status: 'complete',
      reason: null,
      createdAt: 1,
      finishedAt: 2,
      labels: {},
      priority: 0,
      invalid: null,
      plan: {
        ...shared,
        comparedFactor: 'mode',
        sampling,
        verdict,
        blocks: of.blocks.map((cells, index) => ({
          id: `b${index + 1}`,
          headings: { 'benchmark.name': 'exec', 'benchmark.variants.n': `${index}` },
          benchmark: { name: 'exec', version: 1 },
          cells: cells.map((cell, at) => plannedCell(cell, `b${index + 1}`, at)),
        })),
      },
    },
    metric: { name: of.metric ?? 'wallSeconds', unit: of.unit ?? 'seconds' },
    ...(of.pairing === undefined ? {} : { pairing: of.pairing }),
    blocks: of.blocks.map((cells, index) => ({
      blockId: `b${index + 1}`,
      stopReason: 'rounds',
      fingerprint: of.fingerprint === undefined ? 'f1' : of.fingerprint,
      cells: cells.map((cell, at) => ({
        cellId: `b${index + 1}.c${at + 1}`,
        status: cell.status ?? 'measured',
        reason: cell.reason ?? null,
        samples: cell.values.map((value, at) => sampleOf(value, at, cell)),
      })),
    })),
  }
}

/** A standard normal draw (Box and Muller). */
export const normalDraw = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Lognormal samples around `median`; now and then an outlier, as real hosts have. */
export const noisy = (random: Random, count: number, median: number, cv = 0.015): number[] =>
  Array.from(
    { length: count },
    () => median * Math.exp(cv * normalDraw(random)) * (random() < 0.05 ? 1.2 : 1),
  )
