/**
 * The gate: may a change land on this report? Each row passes, blocks, or was accepted by a person;
 * the gate's outcome is the OR of its rows and of what is wrong with the run as a whole. Pure.
 */
import type {
  Comparison,
  Gate,
  GateBlocker,
  GateRow,
  GateRules,
  Report,
  ReportBlock,
  ReportRow,
  Review,
  Verdict,
} from '@assay/model'
import { atLeast } from './rounding.ts'
import { counted } from './sentences.ts'

/** What a verdict blocks as, if that blocks; null: it never does. */
const blockerByVerdict: Readonly<Record<Verdict, GateBlocker | null>> = {
  regression: 'regression',
  improvement: null,
  unchanged: null,
  inconclusive: 'inconclusive',
  indicative: 'inconclusive',
  failed: 'failed',
  unsupported: 'unsupported',
  'not-comparable': 'missing',
  'no-baseline': 'missing',
}

const blockerOf = ({ verdict, effect, warnings, pairs }: Comparison, rules: GateRules) => {
  if (verdict === 'inconclusive' && pairs === 0) return 'missing'
  if (verdict !== 'regression') return blockerByVerdict[verdict]
  if (warnings.some(({ code }) => code === 'suspect')) return 'suspect'
  return atLeast(Math.abs(effect ?? 0), Math.log1p(rules.threshold)) ? 'regression' : null
}

/** The last word on a row that is about these samples: on the row itself, or on the whole report. */
const wordOn = (cellId: string, reviews: readonly Review[]): Review | undefined =>
  reviews.findLast(({ current, rows }) => current && (rows === null || rows.includes(cellId)))

const reviewText = ({ decision, who, reason }: Review): string =>
  `${decision} by ${who.name}: ${reason}`

interface GatedRow {
  readonly block: ReportBlock
  readonly row: ReportRow
  readonly comparison: Comparison
}

const gateRow = (
  { block, row, comparison }: GatedRow,
  rules: GateRules,
  reviews: readonly Review[],
): GateRow => {
  const found = blockerOf(comparison, rules)
  const blocker = found !== null && rules.block.includes(found) ? found : null
  const word = wordOn(row.cellId, reviews)
  const shared = {
    ...{ blockId: block.blockId, cellId: row.cellId, label: row.label },
    verdict: comparison.verdict,
  }
  if (word?.decision === 'rejected') {
    return { ...shared, state: 'blocks', blocker: 'rejected', reason: reviewText(word) }
  }
  if (blocker === null) {
    return { ...shared, state: 'passes', blocker, reason: comparison.reason }
  }
  return word === undefined
    ? { ...shared, state: 'blocks', blocker, reason: comparison.reason }
    : { ...shared, state: 'accepted', blocker, reason: reviewText(word) }
}

const gatedRows = ({ blocks }: Report): GatedRow[] =>
  blocks.flatMap((block) =>
    block.rows.flatMap((row) =>
      row.comparison === null || row.role !== 'candidate'
        ? []
        : [{ block, row, comparison: row.comparison }],
    ),
  )

/** What is wrong with the run as a whole; null if its rows can be believed. */
const wholeProblem = ({ run }: Report, rows: readonly GateRow[]): string | null => {
  if (run.invalid !== undefined) return `the run was marked invalid: ${run.invalid.reason}`
  if (run.status !== 'complete') return `the run is ${run.status}, not complete`
  return rows.length === 0 ? 'nothing was compared' : null
}

const blockerWords: Readonly<Record<NonNullable<GateRow['blocker']>, string>> = {
  regression: 'regression',
  failed: 'failed row',
  missing: 'missing row',
  suspect: 'suspect row',
  unsupported: 'unsupported row',
  inconclusive: 'inconclusive row',
  rejected: 'rejected row',
}

const sentence = (rows: readonly GateRow[]): string => {
  const blocking = rows.filter(({ state }) => state === 'blocks')
  const accepted = rows.filter(({ state }) => state === 'accepted').length
  const also = accepted === 0 ? '' : `; ${counted(accepted, 'accepted row')} would have blocked`
  if (blocking.length === 0) return `${counted(rows.length, 'row')} passed${also}`
  const kinds = [...new Set(blocking.map(({ blocker }) => blocker))].flatMap((kind) => {
    if (kind === null) return []
    const count = blocking.filter(({ blocker }) => blocker === kind).length
    return [counted(count, blockerWords[kind])]
  })
  return `${kinds.join(', ')} of ${counted(rows.length, 'row')}${also}`
}

const outcomeOf = (rows: readonly GateRow[], problem: string | null): Gate['outcome'] => {
  const blocking = rows.filter(({ state }) => state === 'blocks')
  const proven = blocking.some(({ blocker }) => blocker === 'regression' || blocker === 'rejected')
  if (proven) return 'blocked'
  return blocking.length > 0 || problem !== null ? 'unmeasured' : 'passed'
}

/** Holds a report against the rules; reviews are those of its run, oldest first. */
export const judgeGate = (report: Report, rules: GateRules, reviews: readonly Review[]): Gate =>
  gateOf(
    report,
    gatedRows(report).map((row) => gateRow(row, rules, reviews)),
    { rules, confirmedBy: null },
  )

const gateOf = (
  report: Report,
  rows: readonly GateRow[],
  facts: Pick<Gate, 'rules' | 'confirmedBy'>,
): Gate => {
  const problem = wholeProblem(report, rows)
  return {
    runId: report.run.id,
    outcome: outcomeOf(rows, problem),
    reason: problem === null ? sentence(rows) : `${problem}; ${sentence(rows)}`,
    ...facts,
    rows,
  }
}

/** The row after it was measured again: a regression that does not come again does not block. */
const confirmedRow = (row: GateRow, again: Comparison | undefined): GateRow => {
  if (row.state !== 'blocks' || row.blocker !== 'regression') return row
  if (again?.verdict === 'regression') {
    return { ...row, reason: `${row.reason} Measured again: ${again.reason}` }
  }
  const why = again?.reason ?? 'it was not measured again'
  // What could not be measured again is not refuted.
  const isRefuted = again?.verdict === 'unchanged' || again?.verdict === 'improvement'
  const undecided = again?.verdict === 'inconclusive' && again.pairs > 0
  if (!isRefuted && !undecided) {
    return { ...row, reason: `${row.reason} Not confirmed: ${why}` }
  }
  return { ...row, state: 'passes', blocker: null, reason: `not confirmed: ${why}` }
}

/** The gate after its regressions were measured again; `confirmation` is the report of that. */
export const confirmGate = (gate: Gate, report: Report, confirmation: Report): Gate => {
  const again = new Map(
    gatedRows(confirmation).map(({ row, comparison }) => [row.cellId, comparison]),
  )
  return gateOf(
    report,
    gate.rows.map((row) => confirmedRow(row, again.get(row.cellId))),
    { rules: gate.rules, confirmedBy: confirmation.run.id },
  )
}
