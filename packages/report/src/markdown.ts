/** Reports for review pages: what needs a person first, the rest folded away. */
import type { Report } from '@assay/model'
import { defaultRenderOptions, type RenderOptions, type ReportFormat } from './format.ts'
import { countsText, type PlacedRow, placedRows } from './places.ts'
import { fixed, signedFixed } from './printf.ts'
import { oneLine } from './words.ts'

/** Free text in a table cell: on one line, with nothing that Markdown or HTML would act on. */
const cell = (text: string): string =>
  oneLine(text)
    .replace(/[&<>]/gu, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/[\\`*_|[\]]/gu, '\\$&')

const changeText = ({ comparison: { change, difference } }: PlacedRow): string =>
  change === null || difference === null
    ? ''
    : `${signedFixed(change * 100, 2)}%, ${signedFixed(difference, 2)}`

const tableRow = (placed: PlacedRow): string => {
  const { row, comparison, place } = placed
  const median = row.summary === null ? '' : fixed(row.summary.median, 6)
  const remarks = [comparison.reason, ...comparison.warnings.map(({ message }) => message)]
  const cells = [
    comparison.verdict,
    cell(place),
    cell(row.label),
    median,
    changeText(placed),
    cell(remarks.join(' ')),
  ]
  return `| ${cells.join(' | ')} |`
}

const table = (report: Report, rows: readonly PlacedRow[]): string[] => [
  `| Verdict | Where | Label | Median (${cell(report.metric.unit)}) | Change | Why |`,
  '| --- | --- | --- | ---: | ---: | --- |',
  ...rows.map(tableRow),
  '',
]

const isCalm = ({ comparison }: PlacedRow): boolean =>
  (comparison.verdict === 'unchanged' || comparison.verdict === 'unsupported') &&
  comparison.warnings.length === 0

const renderMarkdown = (report: Report, chosen: Partial<RenderOptions> = {}): string => {
  const { verdicts } = { ...defaultRenderOptions, ...chosen }
  const rows = placedRows(report, 'candidate')
  const loud = rows.filter((row) => !isCalm(row))
  const calm = rows.filter(isCalm)
  const folded = [
    `<details><summary>${calm.length} more, nothing to do</summary>`,
    '',
    ...table(report, calm),
    '</details>',
  ]
  return [
    `# ${cell(report.run.name ?? report.run.id)}: ${cell(report.run.campaign)}`,
    '',
    ...(verdicts ? [`**${countsText(report)}**`, ''] : []),
    ...report.warnings.map(({ code, message }) => `- ${code}: ${cell(message)}`),
    ...(report.warnings.length > 0 ? [''] : []),
    ...(loud.length > 0 ? table(report, loud) : []),
    ...(calm.length > 0 ? folded : []),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** Reports as GitHub-flavoured Markdown. */
export const markdownFormat: ReportFormat = {
  name: 'markdown',
  mediaType: 'text/markdown',
  render: renderMarkdown,
}
