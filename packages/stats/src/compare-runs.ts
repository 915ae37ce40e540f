/**
 * Two runs set side by side, variant by variant. They were not measured in one block, so nothing
 * here is a verdict: each row is `indicative`, with the unpaired effect and its interval, and a
 * variant that one of the runs lacks is said.
 */
import type {
  Comparison,
  Evidence,
  PlannedRun,
  Report,
  ReportBlock,
  ReportRow,
  Warning,
} from '@assay/model'
import { compareUnpaired } from './compare-unpaired.ts'
import { type ComparedNumbers, noNumbers } from './compared-numbers.ts'
import { countVerdicts } from './count-verdicts.ts'
import { baselineRuling, candidateRuling, type DraftCell } from './draft-cell.ts'
import { draftBlocks, shareOf } from './drafts.ts'
import { counted, effectText, intervalText, pValueText } from './sentences.ts'
import { lostSamplesOf } from './warnings.ts'

/** A cell of a run with where it stands. */
interface Placed {
  readonly cell: DraftCell & { readonly missing: string | null }
  readonly headings: Readonly<Record<string, string>>
}

/** Cells by variant, in the plan's order; a self-check is its baseline again and left out. */
const cellsOf = (evidence: Evidence): ReadonlyMap<string, Placed> => {
  const placed = new Map<string, Placed>()
  const factor = evidence.run.plan.comparedFactor
  for (const { planned, rows } of draftBlocks(evidence)) {
    for (const cell of rows) {
      const { role, variantId, label } = cell.planned
      if (role === 'self-check' || placed.has(variantId)) continue
      const headings = { ...planned.headings, [`compared.${factor}`]: label }
      placed.set(variantId, { cell, headings })
    }
  }
  return placed
}

const nameOf = (run: PlannedRun): string => run.name ?? run.id

/** Names that tell the runs apart, also where a person gave both the same. */
const labelsOf = (baseline: PlannedRun, candidate: PlannedRun): readonly [string, string] =>
  nameOf(baseline) === nameOf(candidate)
    ? [baseline.id, candidate.id]
    : [nameOf(baseline), nameOf(candidate)]

const unproven = 'indicative only, for the two were not measured in one block'

const reasonOf = (numbers: ComparedNumbers, unit: string, labels: Labels): string => {
  const { effect, interval95, pValue, pairs } = numbers
  if (effect === null || pValue === null) {
    return `A value of zero or less has no ratio, so ${labels.candidate} cannot be set against ${labels.baseline}: ${unproven}.`
  }
  const facts = [
    ...(interval95 === null ? [] : [`95 % interval ${intervalText(interval95)}`]),
    `at least ${counted(pairs, 'sample')} a side`,
    pValueText(pValue),
  ]
  const joint = effect === 0 ? 'as' : 'than'
  return `${labels.candidate} is ${effectText(effect, unit)} ${joint} ${labels.baseline} (${facts.join(', ')}): ${unproven}.`
}

interface Labels {
  readonly baseline: string
  readonly candidate: string
}

interface Matched {
  readonly baseline: Placed | undefined
  readonly candidate: Placed
  readonly labels: Labels
  readonly unit: string
}

const comparisonOf = (matched: Matched): Comparison => {
  const { baseline, candidate, unit, labels } = matched
  const undecided = {
    adjustedPValue: null,
    minimumDetectable: null,
    roundsNeeded: null,
    warnings: [],
  }
  if (baseline === undefined) {
    const reason = `${labels.baseline} has no such variant.`
    return { ...noNumbers, ...undecided, verdict: 'no-baseline', reason }
  }
  const ruling = candidateRuling(candidate.cell) ?? baselineRuling(candidate.cell, baseline.cell)
  if (ruling !== null) return { ...noNumbers, ...undecided, ...ruling }
  const numbers = compareUnpaired(
    { samples: baseline.cell.evidence.samples, summary: baseline.cell.summary },
    { samples: candidate.cell.evidence.samples, summary: candidate.cell.summary },
  )
  const reason = reasonOf(numbers, unit, labels)
  const lost = lostSamplesOf([
    { ...shareOf(baseline.cell), label: labels.baseline },
    { ...shareOf(candidate.cell), label: labels.candidate },
  ])
  const warnings = lost === null ? [] : [lost]
  return { ...numbers, ...undecided, verdict: 'indicative', reason, warnings }
}

const rowOf = ({ cell }: Placed): Omit<ReportRow, 'label' | 'role' | 'comparison'> => ({
  cellId: cell.planned.id,
  status: cell.evidence.status,
  reason: cell.missing,
  summary: cell.summary,
})

const blockOf = (matched: Matched, baselineRunId: string): ReportBlock => {
  const { baseline, candidate, labels } = matched
  const { headings, cell } = candidate
  const compared: ReportRow = {
    ...rowOf(candidate),
    label: labels.candidate,
    role: 'candidate',
    comparison: comparisonOf(matched),
  }
  const rows: ReportRow[] =
    baseline === undefined
      ? [compared]
      : [
          {
            ...rowOf(baseline),
            // Cells are numbered within a run: the other run's need its name to be told apart.
            cellId: `${baselineRunId}/${baseline.cell.planned.id}`,
            label: labels.baseline,
            role: 'baseline',
            comparison: null,
          },
          compared,
        ]
  return { blockId: cell.planned.id, headings, stopReason: null, rows }
}

interface Sides {
  readonly baseline: Evidence
  readonly candidate: Evidence
}

/** What is wrong with one of the runs as a whole. */
const stateWarnings = (run: PlannedRun): Warning[] => [
  ...(run.invalid === null
    ? []
    : [
        {
          code: 'run-invalid',
          message: `${nameOf(run)} was marked invalid: ${run.invalid.reason}`,
        },
      ]),
  ...(run.status === 'complete'
    ? []
    : [
        {
          code: 'run-incomplete',
          message: `${nameOf(run)} is ${run.status}: rows are of what was measured so far.`,
        },
      ]),
]

const warningsOf = ({ baseline, candidate }: Sides, unmatched: readonly Placed[]): Warning[] => {
  const warnings = [baseline.run, candidate.run].flatMap(stateWarnings)
  if (unmatched.length > 0) {
    const names = unmatched.map(({ headings }) =>
      Object.entries(headings)
        .map(([key, value]) => `${key} = ${value}`)
        .join(', '),
    )
    const message = `${nameOf(candidate.run)} lacks ${counted(unmatched.length, 'variant')} of ${nameOf(baseline.run)}: ${names.join('; ')}.`
    warnings.push({ code: 'variants-missing', message })
  }
  if (baseline.metric.name !== candidate.metric.name) {
    const message = `${baseline.metric.name} is set against ${candidate.metric.name}.`
    warnings.push({ code: 'metrics-differ', message })
  }
  const hosts = fingerprintsOf({ baseline, candidate })
  if (hosts.length > 1) {
    const message = `The runs were measured on ${hosts.length} hosts or host states.`
    warnings.push({ code: 'several-hosts', message })
  }
  return warnings
}

const fingerprintsOf = ({ baseline, candidate }: Sides): string[] =>
  [...new Set([...baseline.blocks, ...candidate.blocks].map((block) => block.fingerprint))]
    .filter((fingerprint) => fingerprint !== null)
    .sort()

/**
 * Sets every variant of `candidate` against the same variant of `baseline`. The report is that of
 * the candidate's run, with the two runs as labels; no row of it can be a regression.
 */
export const compareRuns = (baseline: Evidence, candidate: Evidence): Report => {
  const [before, after] = [cellsOf(baseline), cellsOf(candidate)]
  const [left, right] = labelsOf(baseline.run, candidate.run)
  const blocks = [...after].map(([variantId, placed]) =>
    blockOf(
      {
        baseline: before.get(variantId),
        candidate: placed,
        labels: { baseline: left, candidate: right },
        unit: candidate.metric.unit,
      },
      baseline.run.id,
    ),
  )
  const unmatched = [...before]
    .filter(([variantId]) => !after.has(variantId))
    .map(([, placed]) => placed)
  const { plan, id, name, campaign, campaignDigest, seed, status, createdAt } = candidate.run
  return {
    run: { id, name, campaign, campaignDigest, seed, status, createdAt },
    comparedFactor: 'run',
    metric: candidate.metric,
    sampling: plan.pairing === 'unpaired' ? null : plan.sampling,
    rules: plan.verdict,
    pairing: 'unpaired',
    noiseFloor: null,
    fingerprints: fingerprintsOf({ baseline, candidate }),
    counts: countVerdicts(blocks),
    warnings: warningsOf({ baseline, candidate }, unmatched),
    blocks,
  }
}
