/** Where a row stands, in one phrase: benchmark, dataset, and the keys that vary over the report. */
import type { Comparison, Levels, Report, ReportBlock, ReportRow, Verdict } from '@assay/model'
import { sortedKeys } from './headings.ts'

/** A compared row with its place. */
export interface PlacedRow {
  readonly block: ReportBlock
  readonly row: ReportRow
  readonly comparison: Comparison
  readonly place: string
}

/** Verdicts from what needs a person first to what needs nobody. */
export const worstFirst: readonly Verdict[] = [
  'regression',
  'failed',
  'not-comparable',
  'no-baseline',
  'inconclusive',
  'indicative',
  'unsupported',
  'improvement',
  'unchanged',
]

const namingKeys = ['benchmark.name', 'data-env-vars.name']

const varyingKeys = (report: Report): string[] => {
  const keys = new Set(report.blocks.flatMap((block) => Object.keys(block.headings)))
  return sortedKeys(keys).filter(
    (key) =>
      !namingKeys.includes(key) &&
      new Set(report.blocks.map((block) => block.headings[key])).size > 1,
  )
}

const placeText = (headings: Levels, varying: readonly string[]): string => {
  const names = namingKeys.flatMap((key) => headings[key] ?? [])
  const levels = varying.flatMap((key) => {
    const level = headings[key]
    const short = key.replace(/^(benchmark\.variants|bin-env-vars|data-env-vars)\./, '')
    return level === undefined ? [] : [`${short} = ${level}`]
  })
  return [names.join(' on '), ...levels].filter((part) => part !== '').join(', ')
}

/** Every compared row of a role, worst verdict first, else in the report's order. */
export const placedRows = (report: Report, role: ReportRow['role']): PlacedRow[] => {
  const varying = varyingKeys(report)
  return report.blocks
    .flatMap((block) =>
      block.rows.flatMap((row) =>
        row.comparison === null || row.role !== role
          ? []
          : [
              {
                block,
                row,
                comparison: row.comparison,
                place: placeText(block.headings, varying),
              },
            ],
      ),
    )
    .sort(
      (left, right) =>
        worstFirst.indexOf(left.comparison.verdict) - worstFirst.indexOf(right.comparison.verdict),
    )
}

/** `2 regressions, 1 improvement, 40 unchanged`: the verdicts that occur, worst first. */
export const countsText = (report: Report): string => {
  const parts = worstFirst
    .filter((verdict) => report.counts[verdict] > 0)
    .map((verdict) => {
      const count = report.counts[verdict]
      const isNoun = verdict === 'regression' || verdict === 'improvement'
      return `${count} ${verdict}${isNoun && count > 1 ? 's' : ''}`
    })
  return parts.length === 0 ? 'nothing was compared' : parts.join(', ')
}
