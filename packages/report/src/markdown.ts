/**
 * Reports for merge requests: the worst first, the calm rest folded away, and never more than the
 * place of posting takes; what was left out is counted. The first line is a comment by which a
 * later report of the same campaign finds the one to replace.
 */
import type { Report, Verdict } from '@assay/model'
import { defaultRenderOptions, type RenderOptions, type ReportFormat } from './format.ts'
import { inertMarkdown } from './markdown-text.ts'
import { countsText, type PlacedRow, placedRows, verdictCountsText } from './places.ts'
import { fixed, signedFixed } from './printf.ts'
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

const changeText = ({ comparison: { change, difference } }: PlacedRow): string =>
  change === null || difference === null
    ? ''
    : `${signedFixed(change * 100, 2)}%, ${signedFixed(difference, 2)}`

const effectText = ({ comparison: { effect, interval95 } }: PlacedRow): string => {
  if (effect === null) return ''
  if (interval95 === null) return percentText(effect)
  return `${percentText(effect)} (${percentText(interval95.low)} to ${percentText(interval95.high)})`
}

const tableRow = (placed: PlacedRow): string => {
  const { block, row, comparison, place } = placed
  const baseline = block.rows.find(({ role }) => role === 'baseline')?.summary ?? null
  const { sign } = verdictSigns[comparison.verdict]
  const remarks = [comparison.reason, ...comparison.warnings.map(({ message }) => message)]
  const cells = [
    `${sign} ${comparison.verdict}`,
    inertMarkdown(place, longest.title),
    inertMarkdown(row.label, longest.name),
    baseline === null ? '' : fixed(baseline.median, 6),
    row.summary === null ? '' : fixed(row.summary.median, 6),
    changeText(placed),
    effectText(placed),
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
    const line = tableRow(row)
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
  return [
    reportMarker(report),
    `# ${name}: ${inertMarkdown(report.run.campaign, longest.name)}`,
    '',
    ...(verdicts ? [`**${countsText(report)}**`, ''] : []),
    ...warnings,
    ...(warnings.length > 0 ? [''] : []),
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
