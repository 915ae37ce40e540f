/**
 * Tables as change messages carry them: the headings in force and one value a row. One value says
 * nothing about noise, so such rows are inconclusive; printed again they are the same lines.
 */
import { parseReportText, type TextBlock, type TextRow } from '@assay/report'
import { importUnreadable } from './import-errors.ts'
import type { ImportedCell, ImportedResult, ImportFile } from './import-result.ts'

const statuses = {
  failed: 'failed',
  unsupported: 'unsupported',
  'not measured': 'skipped',
} as const

const cellOf = (file: ImportFile, row: TextRow): ImportedCell => {
  const { label, value, state, reason, line } = row
  const shared = { label, warmups: [], host: {} }
  if (state !== 'measured') {
    return { ...shared, samples: [], missing: { status: statuses[state], reason: reason ?? '' } }
  }
  if (value === null || value < 0) {
    throw importUnreadable(file.name, `line ${line}: ${label}: a time cannot be ${value}`)
  }
  const sample = { seconds: value, exitCode: 0, peakRssBytes: null, loops: 1 }
  return { ...shared, samples: [{ ...sample, outcome: 'good' }], missing: null }
}

/** Half a unit of the last digit of printed values, and of printed changes and differences. */
const halfOfValue = 5e-7
const halfOfPrinted = 5.1e-3

/**
 * A printed change or difference that its own numbers contradict: somebody edited one of them. What
 * rounding alone can do is no contradiction.
 */
const contradictionOf = (row: TextRow, baseline: TextRow | undefined): string | null => {
  const [before, after] = [baseline?.value ?? null, row.value]
  if (before === null || after === null || before <= 0) return null
  const change = (after / before - 1) * 100
  const slack = halfOfPrinted + (100 * halfOfValue * (1 + after / before)) / before
  if (row.changePercent !== null && Math.abs(row.changePercent - change) > slack) {
    return `a printed change of ${signed(row.changePercent)}%, where the values differ by ${signed(change)}%`
  }
  const difference = after - before
  if (
    row.difference !== null &&
    Math.abs(row.difference - difference) > halfOfPrinted + 2 * halfOfValue
  ) {
    return `a printed difference of ${signed(row.difference)}, where the values differ by ${signed(difference)}`
  }
  return null
}

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(2)}`

const remarksOf = (file: ImportFile, { rows }: TextBlock): string[] =>
  rows.slice(1).flatMap((row) => {
    const found = contradictionOf(row, rows[0])
    return found === null ? [] : [`${file.name}:${row.line}: ${row.label} has ${found}`]
  })

/** Reads printed tables. Errors: `report-text-garbled` with the lines, `import-unreadable`. */
export const importText = (files: readonly ImportFile[]): ImportedResult => {
  for (const { name, text } of files) {
    const metric = /^; metric: (.*)$/mu.exec(text)?.[1]
    if (metric !== undefined) {
      throw importUnreadable(
        name,
        `its numbers are ${metric}; only seconds of the clock can be imported`,
      )
    }
  }
  const read = files.map((file) => ({ file, blocks: parseReportText(file.text, file.name) }))
  const blocks = read.flatMap(({ file, blocks: found }) =>
    found.map(({ headings, rows }) => ({ headings, cells: rows.map((row) => cellOf(file, row)) })),
  )
  const remarks = read.flatMap(({ file, blocks: found }) =>
    found.flatMap((block) => remarksOf(file, block)),
  )
  return { kind: 'text', comparedFactor: 'label', blocks, remarks }
}
