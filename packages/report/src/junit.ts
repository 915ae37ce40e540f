/**
 * A gate as JUnit XML, which every continuous integration shows: a suite for each benchmark, a case
 * for each row. What blocks as a regression is a failure, what could not be measured an error; what
 * was accepted, or is unsupported, is skipped with the reason.
 */
import type { Gate, GateRow, Report } from '@assay/model'
import { type PlacedRow, placedRows } from './places.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** What XML 1.0 cannot hold at all (section 2.2) is replaced, what means something is escaped. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"]/g, (mark) => entities[mark] ?? '')

const attribute = (name: string, value: string | number): string =>
  ` ${name}="${escaped(String(value)).replace(/[\t\n\r]/g, ' ')}"`

/** The element that tells how a row came out; null for one that passes. */
const outcomeOf = ({ state, blocker, verdict, reason }: GateRow): string | null => {
  if (state === 'accepted' || verdict === 'unsupported') {
    if (state !== 'blocks') return `<skipped${attribute('message', reason)}/>`
  }
  if (state === 'passes') return null
  const element = blocker === 'regression' || blocker === 'rejected' ? 'failure' : 'error'
  const facts = attribute('type', blocker ?? verdict) + attribute('message', reason)
  return `<${element}${facts}>${escaped(reason)}</${element}>`
}

interface Case {
  readonly row: GateRow
  readonly suite: string
  readonly name: string
  /** The candidate's median, where that is a time. */
  readonly seconds: number | null
}

const casesOf = (report: Report, gate: Gate): readonly Case[] => {
  const placed = new Map<string, PlacedRow>(
    placedRows(report, 'candidate').map((one) => [one.row.cellId, one]),
  )
  const isTime = report.metric.unit === 'seconds'
  return gate.rows.map((row) => {
    const found = placed.get(row.cellId)
    return {
      row,
      suite: found?.block.headings['benchmark.name'] ?? report.run.campaign,
      name: `${row.label}: ${found?.place ?? row.blockId}`,
      seconds: isTime ? (found?.row.summary?.median ?? null) : null,
    }
  })
}

const caseText = ({ row, suite, name, seconds }: Case): string => {
  const time = seconds === null ? '' : attribute('time', seconds)
  const head = `    <testcase${attribute('classname', suite)}${attribute('name', name)}${time}`
  const outcome = outcomeOf(row)
  return outcome === null ? `${head}/>` : `${head}>${outcome}</testcase>`
}

const countsText = (cases: readonly Case[]): string => {
  const count = (element: string): number =>
    cases.filter(({ row }) => outcomeOf(row)?.startsWith(`<${element}`)).length
  return (
    attribute('tests', cases.length) +
    attribute('failures', count('failure')) +
    attribute('errors', count('error')) +
    attribute('skipped', count('skipped'))
  )
}

const suiteText = (name: string, cases: readonly Case[]): string =>
  [
    `  <testsuite${attribute('name', name)}${countsText(cases)}>`,
    ...cases.map(caseText),
    '  </testsuite>',
  ].join('\n')

/** The gate of this report as JUnit XML, ending in a newline. */
export const renderJunit = (report: Report, gate: Gate): string => {
  const cases = casesOf(report, gate)
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((name) =>
    suiteText(
      name,
      cases.filter(({ suite }) => suite === name),
    ),
  )
  const name = attribute('name', `${report.run.campaign}: ${gate.outcome}, ${gate.reason}`)
  const lines = [`<testsuites${name}${countsText(cases)}>`, ...suites, '</testsuites>']
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}\n`
}
