/**
 * The rows of a run before judgement: plan and evidence joined, each comparison either with its
 * numbers or with the verdict that needs none (failed, unsupported, not-comparable, no-baseline,
 * not measured yet). What is missing is said, never replaced.
 */
import type {
  Evidence,
  EvidenceBlock,
  EvidenceCell,
  PlannedBlock,
  PlannedCell,
  Summary,
  Verdict,
} from '@assay/model'
import { type ComparedNumbers, comparePaired, noNumbers } from './compare-paired.ts'
import { goodValues } from './pairs.ts'
import { summarize } from './summary.ts'

/** A cell with its evidence and the summary of its good samples. */
interface DraftCell {
  readonly planned: PlannedCell
  readonly evidence: EvidenceCell
  readonly summary: Summary | null
}

/** A verdict that follows from what is missing. */
export interface Ruling {
  readonly verdict: Verdict
  readonly reason: string
}

/** A row; `numbers` and `ruling` are null for a baseline. */
export interface DraftRow extends DraftCell {
  /** Why there is no summary, or null if there is one. */
  readonly missing: string | null
  readonly baselineLabel: string
  readonly numbers: ComparedNumbers | null
  /** Null if the numbers are there to decide. */
  readonly ruling: Ruling | null
}

/** A block of rows in the plan's order. */
export interface DraftBlock {
  readonly planned: PlannedBlock
  readonly evidence: EvidenceBlock | null
  readonly rows: readonly DraftRow[]
}

const statusWithoutSamples = {
  queued: 'not measured yet',
  running: 'not measured yet',
  measured: 'no sample has this metric',
  failed: 'failed, no reason was recorded',
  unsupported: 'the engine cannot run it',
  skipped: 'skipped',
} as const satisfies Record<EvidenceCell['status'], string>

/** Failed and unsupported cells have no summary, whatever they measured before. */
const draftCell = (planned: PlannedCell, found: EvidenceCell | undefined): DraftCell => {
  const evidence: EvidenceCell = found ?? {
    cellId: planned.id,
    status: planned.unsupported === null ? 'queued' : 'unsupported',
    reason: planned.unsupported,
    samples: [],
  }
  const hasEnd = evidence.status === 'failed' || evidence.status === 'unsupported'
  const values = hasEnd ? [] : [...goodValues(evidence.samples).values()]
  return { planned, evidence, summary: summarize(values) }
}

const missingReason = ({ summary, evidence, planned }: DraftCell): string | null =>
  summary === null
    ? (evidence.reason ?? planned.unsupported ?? statusWithoutSamples[evidence.status])
    : null

/** What differs between two cells though the compared factor does not determine it; or null. */
const undeterminedDifference = (
  baseline: PlannedCell,
  candidate: PlannedCell,
  comparedFactor: string,
): string | null => {
  const names = new Set([...Object.keys(baseline.parameters), ...Object.keys(candidate.parameters)])
  const differing = [...names]
    .filter((name) => name !== comparedFactor)
    .filter((name) => baseline.parameters[name] !== candidate.parameters[name])
    .sort()
  return differing.length === 0 ? null : differing.join(', ')
}

const isPending = (cell: DraftCell): boolean =>
  cell.evidence.status === 'queued' || cell.evidence.status === 'running'

/** The verdict that the candidate itself forces, whatever the baseline is. */
const candidateRuling = (candidate: DraftCell): Ruling | null => {
  const { status } = candidate.evidence
  const { label } = candidate.planned
  const reason = missingReason(candidate)
  if (reason === null) return null
  if (status === 'unsupported') return { verdict: 'unsupported', reason: `${label}: ${reason}.` }
  if (status === 'failed') return { verdict: 'failed', reason: `${label} failed: ${reason}.` }
  return { verdict: 'inconclusive', reason: `${label} has nothing to judge: ${reason}.` }
}

const baselineRuling = (baseline: DraftCell | undefined): Ruling | null => {
  if (baseline === undefined) {
    return { verdict: 'no-baseline', reason: 'The campaign leaves this block without a baseline.' }
  }
  const reason = missingReason(baseline)
  if (reason === null) return null
  const verdict = isPending(baseline) ? 'inconclusive' : 'no-baseline'
  return { verdict, reason: `The baseline ${baseline.planned.label} has no value: ${reason}.` }
}

interface DraftContext {
  readonly baseline: DraftCell | undefined
  readonly fingerprint: string | null
  readonly comparedFactor: string
}

const comparabilityRuling = (candidate: DraftCell, context: DraftContext): Ruling | null => {
  if (context.fingerprint === null) {
    const reason = 'The host that measured this block has no fingerprint.'
    return { verdict: 'not-comparable', reason }
  }
  if (context.baseline === undefined) return null
  const { planned } = context.baseline
  const names = undeterminedDifference(planned, candidate.planned, context.comparedFactor)
  if (names === null) return null
  const reason = `${candidate.planned.label} and ${planned.label} differ in ${names}, which ${context.comparedFactor} does not determine.`
  return { verdict: 'not-comparable', reason }
}

const draftRow = (cell: DraftCell, context: DraftContext): DraftRow => {
  const shared = {
    ...cell,
    missing: missingReason(cell),
    baselineLabel: context.baseline?.planned.label ?? '',
  }
  if (cell.planned.role === 'baseline') return { ...shared, numbers: null, ruling: null }
  const ruling =
    candidateRuling(cell) ?? baselineRuling(context.baseline) ?? comparabilityRuling(cell, context)
  if (ruling !== null || context.baseline === undefined) {
    return { ...shared, numbers: noNumbers, ruling }
  }
  const numbers = comparePaired(
    { samples: context.baseline.evidence.samples, summary: context.baseline.summary },
    { samples: cell.evidence.samples, summary: cell.summary },
  )
  return { ...shared, numbers, ruling: null }
}

/** Joins plan and evidence, in the plan's order; evidence may come in any order, or be missing. */
export const draftBlocks = ({ run, blocks }: Evidence): DraftBlock[] => {
  const evidenceById = new Map(blocks.map((block) => [block.blockId, block]))
  return run.plan.blocks.map((planned) => {
    const evidence = evidenceById.get(planned.id) ?? null
    const cellById = new Map(evidence?.cells.map((cell) => [cell.cellId, cell]))
    const cells = planned.cells.map((cell) => draftCell(cell, cellById.get(cell.id)))
    const context: DraftContext = {
      baseline: cells.find((cell) => cell.planned.role === 'baseline'),
      fingerprint: evidence?.fingerprint ?? null,
      comparedFactor: run.plan.comparedFactor,
    }
    return { planned, evidence, rows: cells.map((cell) => draftRow(cell, context)) }
  })
}
