/**
 * The rows of a run before judgement: plan and evidence joined, each comparison either with its
 * numbers or with the verdict that needs none (failed, unsupported, not-comparable, no-baseline,
 * not measured yet). What is missing is said, never replaced.
 */
import type {
  Evidence,
  EvidenceBlock,
  Outcome,
  PlannedBlock,
  PlannedCell,
  SamplePairing,
} from '@assay/model'
import { comparePaired } from './compare-paired.ts'
import { compareUnpaired } from './compare-unpaired.ts'
import { type ComparedNumbers, noNumbers } from './compared-numbers.ts'
import {
  baselineRuling,
  candidateRuling,
  type DraftCell,
  draftCell,
  loopsOf,
  missingReason,
  type Ruling,
} from './draft-cell.ts'
import type { SideValues } from './mean-shift.ts'
import { goodValues, type Pair, pairByRound } from './pairs.ts'

/** A side's samples, and how many of them are good and have the metric. */
export interface SampleShare {
  readonly label: string
  readonly good: number
  readonly all: number
  /** How those ended that cannot be judged; `good` ones lack the metric. */
  readonly lost: Readonly<Record<Outcome, number>>
  /** Processes that its good samples left behind, and that were killed. */
  readonly stragglers: number
}

/** A row; `numbers` and `ruling` are null for a baseline. */
export interface DraftRow extends DraftCell {
  /** Why there is no summary, or null if there is one. */
  readonly missing: string | null
  readonly baselineLabel: string
  readonly numbers: ComparedNumbers | null
  /** The pairs behind the numbers, in the order of rounds; none of unpaired sides. */
  readonly pairs: readonly Pair[]
  /** The judged values of both sides, of paired ones by round; none where nothing is compared. */
  readonly values: SideValues
  /** Of both sides, how many of their samples can be judged; empty for a baseline. */
  readonly shares: readonly SampleShare[]
  /** Null if the numbers are there to decide. */
  readonly ruling: Ruling | null
}

/** A block of rows in the plan's order. */
export interface DraftBlock {
  readonly planned: PlannedBlock
  readonly evidence: EvidenceBlock | null
  readonly rows: readonly DraftRow[]
}

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

/**
 * How the inner repeats of two sides differ, or null. What a child does once, its start above all, is
 * divided by them: with other repeats the same command takes another time for one.
 */
const loopsDifference = (baseline: DraftCell, candidate: DraftCell): string | null => {
  const [one, other] = [loopsOf(baseline.evidence), loopsOf(candidate.evidence)]
  if (new Set([...one, ...other]).size <= 1) return null
  const text = (loops: readonly number[]): string => loops.join(' or ')
  return `The inner repeats differ, ${text(one)} of ${baseline.planned.label} and ${text(other)} of ${candidate.planned.label}, and with them the share of what a child does only once: measure again, or fix loops.`
}

interface DraftContext {
  readonly baseline: DraftCell | undefined
  readonly fingerprint: string | null
  readonly comparedFactor: string
  readonly pairing: SamplePairing
}

const comparabilityRuling = (candidate: DraftCell, context: DraftContext): Ruling | null => {
  if (context.fingerprint === null) {
    const reason = 'The host that measured this block has no fingerprint.'
    return { verdict: 'not-comparable', reason }
  }
  if (context.baseline === undefined) return null
  const { planned } = context.baseline
  const names = undeterminedDifference(planned, candidate.planned, context.comparedFactor)
  const loops = context.pairing === 'paired' ? loopsDifference(context.baseline, candidate) : null
  if (loops !== null) return { verdict: 'not-comparable', reason: loops }
  if (names === null) return null
  const reason = `${candidate.planned.label} and ${planned.label} differ in ${names}, which ${context.comparedFactor} does not determine.`
  return { verdict: 'not-comparable', reason }
}

/** How many of a cell's samples are good, and how the others ended. */
export const shareOf = ({ planned, evidence, summary }: DraftCell): SampleShare => {
  const good = summary?.count ?? 0
  const ended = (outcome: Outcome): number =>
    evidence.samples.filter((sample) => sample.outcome === outcome).length
  return {
    label: planned.label,
    good,
    all: evidence.samples.length,
    lost: {
      good: ended('good') - good,
      failed: ended('failed'),
      'timed-out': ended('timed-out'),
      killed: ended('killed'),
    },
    stragglers: evidence.samples
      .filter(({ outcome }) => outcome === 'good')
      .reduce((sum, { stragglers: left = 0 }) => sum + left, 0),
  }
}

const draftRow = (cell: DraftCell, context: DraftContext): DraftRow => {
  const shared = {
    ...cell,
    missing: missingReason(cell),
    baselineLabel: context.baseline?.planned.label ?? '',
    pairs: [],
    values: { baseline: [], candidate: [] },
    shares: [],
  }
  if (cell.planned.role === 'baseline') return { ...shared, numbers: null, ruling: null }
  const ruling =
    candidateRuling(cell) ??
    baselineRuling(cell, context.baseline) ??
    comparabilityRuling(cell, context)
  if (ruling !== null || context.baseline === undefined) {
    return { ...shared, numbers: noNumbers, ruling }
  }
  const shares = [context.baseline, cell].map(shareOf)
  const one = { samples: context.baseline.evidence.samples, summary: context.baseline.summary }
  const other = { samples: cell.evidence.samples, summary: cell.summary }
  if (context.pairing === 'unpaired') {
    const values = {
      baseline: [...goodValues(one.samples).values()],
      candidate: [...goodValues(other.samples).values()],
    }
    return { ...shared, shares, numbers: compareUnpaired(one, other), values, ruling: null }
  }
  const { pairs } = pairByRound(one.samples, other.samples)
  const values = {
    baseline: pairs.map(({ baseline }) => baseline),
    candidate: pairs.map(({ candidate }) => candidate),
  }
  return { ...shared, shares, numbers: comparePaired(one, other), pairs, values, ruling: null }
}

/** Joins plan and evidence, in the plan's order; evidence may come in any order, or be missing. */
export const draftBlocks = ({ run, blocks, pairing = 'paired' }: Evidence): DraftBlock[] => {
  const evidenceById = new Map(blocks.map((block) => [block.blockId, block]))
  return run.plan.blocks.map((planned) => {
    const evidence = evidenceById.get(planned.id) ?? null
    const cellById = new Map(evidence?.cells.map((cell) => [cell.cellId, cell]))
    const cells = planned.cells.map((cell) => draftCell(cell, cellById.get(cell.id)))
    const context: DraftContext = {
      baseline: cells.find((cell) => cell.planned.role === 'baseline'),
      fingerprint: evidence?.fingerprint ?? null,
      comparedFactor: run.plan.comparedFactor,
      pairing,
    }
    return { planned, evidence, rows: cells.map((cell) => draftRow(cell, context)) }
  })
}
