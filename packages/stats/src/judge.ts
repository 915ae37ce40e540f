/**
 * A run judged: evidence in, the whole tree of comparisons with verdicts out. Pure, and the only
 * place where verdicts come from: the same samples give the same report everywhere, in any order.
 */
import {
  type Comparison,
  type Evidence,
  metricOf,
  type Report,
  type ReportBlock,
  type ReportRow,
  type Verdict,
} from '@assay/model'
import { countVerdicts } from './count-verdicts.ts'
import { decide } from './decide.ts'
import { type DraftBlock, type DraftRow, draftBlocks } from './drafts.ts'
import { type Family, familyOf, noiseFloorOf } from './families.ts'
import { certainMeanShift } from './mean-shift.ts'
import { runWarnings } from './run-warnings.ts'
import { warningsOf } from './warnings.ts'

/** What the judgement of every row shares. */
interface Bench {
  readonly evidence: Evidence
  readonly family: Family
  /** Null for the self-checks themselves: they measure it. */
  readonly noiseFloor: number | null
  readonly suspect: boolean
}

const judgeRow = (row: DraftRow, bench: Bench): Comparison | null => {
  const { numbers, ruling, pairs, values, shares } = row
  const { metric, pairing = 'paired' } = bench.evidence
  if (numbers === null) return null
  if (ruling !== null) {
    const unknown = { adjustedPValue: null, minimumDetectable: null, roundsNeeded: null }
    return { ...numbers, ...unknown, ...ruling, warnings: [] }
  }
  const adjustedPValue = bench.family.adjusted.get(row) ?? null
  const labels = { baseline: row.baselineLabel, candidate: row.planned.label }
  const rules = bench.evidence.run.plan.verdict
  const meanShift = certainMeanShift(values, pairing, Math.log1p(rules.tolerance))
  const decision = decide({
    numbers,
    adjustedPValue,
    rules,
    family: bench.family.size,
    noiseFloor: bench.noiseFloor,
    metric: { ...metricOf(metric.name), unit: metric.unit },
    labels,
    pairing,
    pairs,
    shares,
    meanShift,
  })
  const warnings = warningsOf({
    numbers,
    verdict: decision.verdict,
    family: bench.family.size,
    suspect: bench.suspect,
    labels,
    pairing,
    pairs,
    values,
    unit: metric.unit,
    shares,
    meanShift,
  })
  return { ...numbers, adjustedPValue, ...decision, warnings }
}

type Judge = (row: DraftRow) => Comparison | null

const reportRow = (row: DraftRow, judge: Judge): ReportRow => {
  const { status, cleanupFault } = row.evidence
  return {
    cellId: row.planned.id,
    label: row.planned.label,
    role: row.planned.role,
    status,
    reason: row.missing,
    ...(cleanupFault === undefined ? {} : { cleanupFault }),
    summary: row.summary,
    comparison: judge(row),
  }
}

const reportBlock = (block: DraftBlock, judge: Judge): ReportBlock => ({
  blockId: block.planned.id,
  headings: block.planned.headings,
  stopReason: block.evidence?.stopReason ?? null,
  rows: block.rows.map((row) => reportRow(row, judge)),
})

const isFlag = (verdict: Verdict | undefined): boolean =>
  verdict === 'regression' || verdict === 'improvement'

const fingerprintsOf = (evidence: Evidence): string[] => [
  ...new Set(
    evidence.blocks.flatMap((block) => (block.fingerprint === null ? [] : [block.fingerprint])),
  ),
]

/** Judges a run, finished or not. Evidence that is missing leaves its rows inconclusive. */
export const judgeRun = (evidence: Evidence): Report => {
  const { run, metric, pairing } = evidence
  const drafts = draftBlocks(evidence)
  const selfChecks = familyOf(drafts, 'self-check')
  const candidates = familyOf(drafts, 'candidate')
  const noiseFloor = noiseFloorOf(selfChecks)
  const checkBench: Bench = { evidence, family: selfChecks, noiseFloor: null, suspect: false }
  const flaggedSelfChecks = [...selfChecks.adjusted.keys()].filter((row) =>
    isFlag(judgeRow(row, checkBench)?.verdict),
  ).length
  const bench: Bench = { evidence, family: candidates, noiseFloor, suspect: flaggedSelfChecks > 0 }
  const blocks = drafts.map((draft) =>
    reportBlock(draft, (row) =>
      judgeRow(row, row.planned.role === 'self-check' ? checkBench : bench),
    ),
  )
  const fingerprints = fingerprintsOf(evidence).sort()
  const { id, name, campaign, campaignDigest, seed, status, createdAt } = run
  return {
    run: { id, name, campaign, campaignDigest, seed, status, createdAt },
    comparedFactor: run.plan.comparedFactor,
    metric,
    sampling: pairing === 'unpaired' ? null : run.plan.sampling,
    rules: run.plan.verdict,
    ...(pairing === undefined ? {} : { pairing }),
    noiseFloor,
    fingerprints,
    counts: countVerdicts(blocks),
    warnings: runWarnings(evidence, {
      flaggedSelfChecks,
      selfChecks: selfChecks.size,
      fingerprints: fingerprints.length,
      blocks,
    }),
    blocks,
  }
}
