/**
 * Reports for merge requests: the worst first, the calm rest folded away, and never more than the
 * place of posting takes; what was left out is counted. The first line is a comment by which a
 * later report of the same campaign finds the one to replace.
 */
import type { Comparison, Report, ReportRow, Verdict } from '@assay/model'
import { defaultRenderOptions, type RenderOptions, type ReportFormat } from './format.ts'
import { inertMarkdown } from './markdown-text.ts'
import { countsText, type PlacedRow, placedRows, verdictCountsText } from './places.ts'
import { fixed, signedFixed } from './printf.ts'
import { reviewTexts } from './reviews.ts'
import {
  isSeconds,
  rowTimeUnit,
  type SmallTimeUnit,
  smallDifferenceText,
  smallTimeText,
} from './small-times.ts'
import { percentText, verdictSigns } from './verdict-signs.ts'

/** The longest that each kind of free text may be, in characters; reasons may hold program output. */
const longest = { title: 200, name: 120, reason: 400 } as const

/** Bytes kept free for the lines that close a section and say what was left out. */
const closingBytes = 400

const lossyUri = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\u{FFFD}'))

/** The line by which a posted report is found again: the same for every run of a campaign. */
export const reportMarker = (report: Report): string =>
  `<!-- assay:report campaign=${lossyUri(report.run.campaign)} -->`

/** Smaller than this a difference of seconds would be printed as 0.00. */
const unseenSeconds = 0.005

const differenceText = (difference: number, unit: string, small: SmallTimeUnit | null): string => {
  if (small !== null) return smallDifferenceText(difference, small)
  const isUnseen = isSeconds(unit) && difference !== 0 && Math.abs(difference) < unseenSeconds
  return isUnseen
    ? smallDifferenceText(difference, { name: 'ms', perSecond: 1e3 })
    : signedFixed(difference, 2)
}

const effectText = ({ effect, interval95 }: Comparison): string => {
  if (effect === null) return ''
  if (interval95 === null) return percentText(effect)
  return `${percentText(effect)} (${percentText(interval95.low)} to ${percentText(interval95.high)})`
}

const tableRow = ({ block, row, comparison, place }: PlacedRow, unit: string): string => {
  const baseline = block.rows.find(({ role }) => role === 'baseline') ?? null
  const small = rowTimeUnit(row, baseline, unit)
  const median = (of: ReportRow | null): string => {
    const value = of?.summary?.median ?? null
    if (value === null) return ''
    return small === null ? fixed(value, 6) : smallTimeText(value, small)
  }
  const { change, difference, verdict } = comparison
  const { sign } = verdictSigns[verdict]
  const remarks = [comparison.reason, ...comparison.warnings.map(({ message }) => message)]
  const cells = [
    `${sign} ${verdict}`,
    inertMarkdown(place, longest.title),
    inertMarkdown(row.label, longest.name),
    median(baseline),
    median(row),
    change === null || difference === null
      ? ''
      : `${signedFixed(change * 100, 2)}%, ${differenceText(difference, unit, small)}`,
    effectText(comparison),
    inertMarkdown(remarks.join(' '), longest.reason),
  ]
  return `| ${cells.join(' | ')} |`
}

const tableHead = ({ metric }: Report): string[] => {
  const unit = inertMarkdown(metric.unit, longest.name)
  return [
    `| Verdict | Where | Label | Baseline (${unit}) | Median (${unit}) | Change | Effect, 95 % interval | Why |`,
    '| --- | --- | --- | ---: | ---: | ---: | ---: | --- |',
  ]
}

const bytesOf = (line: string): number => new TextEncoder().encode(line).length + 1

const sum = (lines: readonly string[]): number =>
  lines.reduce((total, line) => total + bytesOf(line), 0)

const leftOutText = (rows: readonly PlacedRow[]): string => {
  const count = (verdict: Verdict): number =>
    rows.filter(({ comparison }) => comparison.verdict === verdict).length
  return `**Left out for want of space: ${verdictCountsText(count)}.**`
}

/** As many rows as fit, and a line for those that do not. */
const fitted = (report: Report, rows: readonly PlacedRow[], room: number): string[] => {
  if (rows.length === 0) return []
  const lines = [...tableHead(report)]
  let left = room - sum(lines)
  let shown = 0
  for (const row of rows) {
    const line = tableRow(row, report.metric.unit)
    left -= bytesOf(line)
    if (left < 0) break
    lines.push(line)
    shown += 1
  }
  if (shown === rows.length) return [...lines, '']
  const rest = leftOutText(rows.slice(shown))
  return shown === 0 ? [rest, ''] : [...lines, '', rest, '']
}

const isCalm = ({ comparison }: PlacedRow): boolean =>
  (comparison.verdict === 'unchanged' || comparison.verdict === 'unsupported') &&
  comparison.warnings.length === 0

const headLines = (report: Report, verdicts: boolean): string[] => {
  const name = inertMarkdown(report.run.name ?? report.run.id, longest.name)
  const warnings = report.warnings.map(
    ({ code, message }) => `- ${inertMarkdown(`${code}: ${message}`, longest.reason)}`,
  )
  const reviews = reviewTexts(report).map(
    (text) => `- Review: ${inertMarkdown(text, longest.reason)}`,
  )
  return [
    reportMarker(report),
    `# ${name}: ${inertMarkdown(report.run.campaign, longest.name)}`,
    '',
    ...(verdicts ? [`**${countsText(report)}**`, ''] : []),
    ...warnings,
    ...(warnings.length > 0 ? [''] : []),
    ...reviews,
    ...(reviews.length > 0 ? [''] : []),
  ]
}

const renderMarkdown = (report: Report, chosen: Partial<RenderOptions> = {}): string => {
  const { verdicts, maxBytes } = { ...defaultRenderOptions, ...chosen }
  const rows = placedRows(report, 'candidate')
  const calm = rows.filter(isCalm)
  const head = headLines(report, verdicts)
  const room = maxBytes - sum(head) - 2 * closingBytes
  const loudLines = fitted(
    report,
    rows.filter((row) => !isCalm(row)),
    room,
  )
  const folded = (): string[] => [
    `<details><summary>${calm.length} more, nothing to do</summary>`,
    '',
    ...fitted(report, calm, room - sum(loudLines)),
    '</details>',
  ]
  return [...head, ...loudLines, ...(calm.length > 0 ? folded() : [])]
    .map((line) => `${line}\n`)
    .join('')
}

/** Reports as GitHub-flavoured Markdown. */
export const markdownFormat: ReportFormat = {
  name: 'markdown',
  mediaType: 'text/markdown',
  needsSamples: false,
  joins: false,
  render: renderMarkdown,
}
