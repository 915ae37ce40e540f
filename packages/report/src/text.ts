/**
 * The text format: the table that Mercurial's change messages carry, and below it the verdicts in
 * lines that start with `;`, which the reader (`parse-text.ts`) skips. Self-checks are no part of
 * such a table; the verdicts speak of them.
 */
import { primaryMetric, type Report, type ReportBlock, type ReportRow } from '@assay/model'
import { defaultRenderOptions, type RenderOptions, type ReportFormat } from './format.ts'
import { type HeadingState, type HeadingStyle, headingLine, headingSteps } from './headings.ts'
import { fixed, signedFixed } from './printf.ts'
import { verdictLines } from './text-verdicts.ts'
import { labelText, oneLine } from './words.ts'

const stateOf = (row: ReportRow): string =>
  row.status === 'failed' || row.status === 'unsupported' ? row.status : 'not measured'

/** ` (+10.38%, +0.02)`, or nothing: no comparison, no ratio, or a change below `hideBelow`. */
const changeText = (row: ReportRow, hideBelow: number): string => {
  const change = row.comparison?.change ?? null
  const difference = row.comparison?.difference ?? null
  if (change === null || difference === null || Math.abs(change) < hideBelow) return ''
  return ` (${signedFixed(change * 100, 2)}%, ${signedFixed(difference, 2)})`
}

/** `label: 0.265087 (+10.38%, +0.02)`; without a value `label: failed (reason)` and the like. */
export const rowLine = (row: ReportRow, hideBelow: number): string => {
  const label = labelText(row.label)
  if (row.summary !== null) {
    return `${label}: ${fixed(row.summary.median, 6)}${changeText(row, hideBelow)}`
  }
  const reason = oneLine(row.reason ?? '')
  return `${label}: ${stateOf(row)}${reason === '' ? '' : ` (${reason})`}`
}

const blockLines = (
  block: ReportBlock,
  state: HeadingState,
  options: RenderOptions,
): readonly string[] => {
  const rows = block.rows.filter((row) => row.role !== 'self-check')
  if (rows.length === 0) return []
  return [
    ...headingSteps(block.headings, state, options.style).map(headingLine),
    ...rows.map((row) => rowLine(row, options.hideBelow)),
  ]
}

const renderText = (report: Report, chosen: Partial<RenderOptions> = {}): string => {
  const options: RenderOptions = { ...defaultRenderOptions, ...chosen }
  const state: HeadingState = new Map()
  const { name, unit } = report.metric
  const lines = [
    // The format's numbers are seconds of the clock; anything else has to be said.
    ...(name === primaryMetric && unit === 'seconds'
      ? []
      : [`; metric: ${oneLine(name)} in ${oneLine(unit)}`]),
    ...report.blocks.flatMap((block) => blockLines(block, state, options)),
    ...(options.verdicts ? verdictLines(report) : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Reports as text for change messages and terminals, in one of its two styles. */
const styled = (style: HeadingStyle): ReportFormat => ({
  name: style,
  mediaType: 'text/plain',
  needsSamples: false,
  joins: true,
  render: (report, chosen = {}) => renderText(report, { style, ...chosen }),
})

/** Every heading above every block. */
export const fullFormat: ReportFormat = styled('full')

/** Only the headings that changed. */
export const compactFormat: ReportFormat = styled('compact')
