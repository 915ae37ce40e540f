/**
 * Tables as change messages carry them: the headings in force and one value a row. One value says
 * nothing about noise, so such rows are inconclusive; printed again they are the same lines.
 */
import { parseReportText, type TextRow } from '@assay/report'
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
  const blocks = files.flatMap((file) =>
    parseReportText(file.text, file.name).map(({ headings, rows }) => ({
      headings,
      cells: rows.map((row) => cellOf(file, row)),
    })),
  )
  return { kind: 'text', comparedFactor: 'label', blocks }
}
