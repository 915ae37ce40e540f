/**
 * A cell before judgement: plan and evidence joined, and the verdicts that follow from what a cell
 * lacks. What is missing is said, never replaced.
 */
import type { EvidenceCell, PlannedCell, Summary, Verdict } from '@assay/model'
import { goodValues } from './pairs.ts'
import { summarize } from './summary.ts'

/** A cell with its evidence and the summary of its good samples. */
export interface DraftCell {
  readonly planned: PlannedCell
  readonly evidence: EvidenceCell
  readonly summary: Summary | null
}

/** A verdict that follows from what is missing. */
export interface Ruling {
  readonly verdict: Verdict
  readonly reason: string
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
export const draftCell = (planned: PlannedCell, found: EvidenceCell | undefined): DraftCell => {
  const evidence: EvidenceCell = found ?? {
    cellId: planned.id,
    status: planned.unsupported === null ? 'queued' : 'unsupported',
    reason: planned.unsupported,
    samples: [],
  }
  const hasEnd = evidence.status === 'failed' || evidence.status === 'unsupported'
  const values = hasEnd ? [] : [...goodValues(evidence.samples).values()]
  const summary = summarize(values)
  const [loops = 1, ...others] = loopsOf(evidence)
  const isRepeated = loops > 1 && others.length === 0
  return {
    planned,
    evidence,
    summary: summary !== null && isRepeated ? { ...summary, loops } : summary,
  }
}

/** The inner repeats of a cell's good samples, each number once, ascending: one where all is well. */
export const loopsOf = ({ samples }: EvidenceCell): readonly number[] => {
  const good = samples.filter(({ outcome }) => outcome === 'good')
  return [...new Set(good.map(({ loops }) => loops))].sort((left, right) => left - right)
}

/** Why a cell has no summary, or null if it has one. */
export const missingReason = ({ summary, evidence, planned }: DraftCell): string | null =>
  summary === null
    ? (evidence.reason ?? planned.unsupported ?? statusWithoutSamples[evidence.status])
    : null

const isPending = (cell: DraftCell): boolean =>
  cell.evidence.status === 'queued' || cell.evidence.status === 'running'

/** The verdict that the candidate itself forces, whatever the baseline is. */
export const candidateRuling = (candidate: DraftCell): Ruling | null => {
  const { status } = candidate.evidence
  const { label } = candidate.planned
  const reason = missingReason(candidate)
  if (reason === null) return null
  if (status === 'unsupported') return { verdict: 'unsupported', reason: `${label}: ${reason}.` }
  if (status === 'failed') return { verdict: 'failed', reason: `${label} failed: ${reason}.` }
  return { verdict: 'inconclusive', reason: `${label} has nothing to judge: ${reason}.` }
}

/** What became of a cell without a value, as a clause. */
const fateOf = ({ evidence: { status } }: DraftCell, reason: string): string => {
  if (status === 'failed') return `failed: ${reason}`
  return status === 'unsupported' ? `is unsupported: ${reason}` : `has no value: ${reason}`
}

/** The verdict that the baseline forces on a candidate, or null if it can be compared against. */
export const baselineRuling = (
  candidate: DraftCell,
  baseline: DraftCell | undefined,
): Ruling | null => {
  const alone = `${candidate.planned.label} has nothing to be compared with`
  if (baseline === undefined) {
    const reason = `${alone}: the campaign leaves this block without a baseline.`
    return { verdict: 'no-baseline', reason }
  }
  const missing = missingReason(baseline)
  if (missing === null) return null
  const verdict = isPending(baseline) ? 'inconclusive' : 'no-baseline'
  const { label, id } = baseline.planned
  const reason = `${alone}: the baseline ${label} (${id}) ${fateOf(baseline, missing)}.`
  return { verdict, reason }
}
