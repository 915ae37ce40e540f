/**
 * A run judged: evidence in, the whole tree of comparisons with verdicts out. Pure, and the only
 * place where verdicts come from: the same samples give the same report everywhere, in any order.
 */
import type {
  Comparison,
  Evidence,
  Report,
  ReportBlock,
  ReportRow,
  Verdict,
  VerdictCounts,
  Warning,
} from '@assay/model'
import { decide } from './decide.ts'
import { type DraftBlock, type DraftRow, draftBlocks } from './drafts.ts'
import { type Family, familyOf, noiseFloorOf } from './families.ts'
import { counted, isTime } from './sentences.ts'
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
  const { numbers, ruling } = row
  if (numbers === null) return null
  if (ruling !== null) {
    const unknown = { adjustedPValue: null, minimumDetectable: null, roundsNeeded: null }
    return { ...numbers, ...unknown, ...ruling, warnings: [] }
  }
  const adjustedPValue = bench.family.adjusted.get(row) ?? null
  const decision = decide({
    numbers,
    adjustedPValue,
    rules: bench.evidence.run.plan.verdict,
    family: bench.family.size,
    noiseFloor: bench.noiseFloor,
    unit: bench.evidence.metric.unit,
    labels: { baseline: row.baselineLabel, candidate: row.planned.label },
  })
  const warnings = warningsOf({
    numbers,
    verdict: decision.verdict,
    family: bench.family.size,
    suspect: bench.suspect,
  })
  return { ...numbers, adjustedPValue, ...decision, warnings }
}

type Judge = (row: DraftRow) => Comparison | null

const reportRow = (row: DraftRow, judge: Judge): ReportRow => ({
  cellId: row.planned.id,
  label: row.planned.label,
  role: row.planned.role,
  status: row.evidence.status,
  reason: row.missing,
  summary: row.summary,
  comparison: judge(row),
})

const reportBlock = (block: DraftBlock, judge: Judge): ReportBlock => ({
  blockId: block.planned.id,
  headings: block.planned.headings,
  stopReason: block.evidence?.stopReason ?? null,
  rows: block.rows.map((row) => reportRow(row, judge)),
})

/** Candidates by verdict; self-checks are not results and are not counted. */
const countVerdicts = (blocks: readonly ReportBlock[]): VerdictCounts => {
  const verdicts = blocks
    .flatMap((block) => block.rows)
    .filter((row) => row.role === 'candidate')
    .map((row) => row.comparison?.verdict)
  const countOf = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length
  return {
    regression: countOf('regression'),
    improvement: countOf('improvement'),
    unchanged: countOf('unchanged'),
    inconclusive: countOf('inconclusive'),
    failed: countOf('failed'),
    unsupported: countOf('unsupported'),
    'not-comparable': countOf('not-comparable'),
    'no-baseline': countOf('no-baseline'),
    indicative: countOf('indicative'),
  }
}

const isFlag = (verdict: Verdict | undefined): boolean =>
  verdict === 'regression' || verdict === 'improvement'

interface RunFacts {
  readonly flaggedSelfChecks: number
  readonly selfChecks: number
  readonly fingerprints: number
}

const runWarnings = ({ run, metric }: Evidence, facts: RunFacts): Warning[] => {
  const warnings: Warning[] = []
  if (run.status !== 'complete') {
    const message = `The run is ${run.status}: verdicts are on what was measured so far.`
    warnings.push({ code: 'run-incomplete', message })
  }
  if (facts.flaggedSelfChecks > 0) {
    const message = `${facts.flaggedSelfChecks} of ${counted(facts.selfChecks, 'self-check')} found the baseline to differ from itself: flagged rows are suspect. Quiet the host and run again.`
    warnings.push({ code: 'self-check-flagged', message })
  }
  if (facts.fingerprints > 1) {
    const message = `Blocks were measured on ${facts.fingerprints} hosts or host states: compare within a block only.`
    warnings.push({ code: 'several-hosts', message })
  }
  if (run.plan.verdict.minDifferenceSeconds > 0 && !isTime(metric.unit)) {
    const message = `The smallest difference is in seconds and does not apply to ${metric.name} in ${metric.unit}.`
    warnings.push({ code: 'min-difference-ignored', message })
  }
  return warnings
}

const fingerprintsOf = (evidence: Evidence): string[] => [
  ...new Set(
    evidence.blocks.flatMap((block) => (block.fingerprint === null ? [] : [block.fingerprint])),
  ),
]

/** Judges a run, finished or not. Evidence that is missing leaves its rows inconclusive. */
export const judgeRun = (evidence: Evidence): Report => {
  const { run, metric } = evidence
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
    sampling: run.plan.sampling,
    rules: run.plan.verdict,
    ...(evidence.pairing === undefined ? {} : { pairing: evidence.pairing }),
    noiseFloor,
    fingerprints,
    counts: countVerdicts(blocks),
    warnings: runWarnings(evidence, {
      flaggedSelfChecks,
      selfChecks: selfChecks.size,
      fingerprints: fingerprints.length,
    }),
    blocks,
  }
}
