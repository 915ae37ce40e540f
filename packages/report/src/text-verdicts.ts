/** The verdicts below a text report: one comment line each, so that the table can be read back. */
import type { Report } from '@assay/model'
import { fractionOf } from '@assay/stats'
import { countsText, type PlacedRow, placedRows } from './places.ts'
import { oneLine } from './words.ts'

/** Starts a line that is not part of the table. `#` was taken by the headings. */
export const commentMark = ';'

const comment = (text: string): string => `${commentMark} ${text}`

const rowLines = ({ comparison, place }: PlacedRow): string[] => [
  comment(`${comparison.verdict}: ${oneLine(place)}`),
  comment(`  ${oneLine(comparison.reason)}`),
  ...comparison.warnings.map(({ code, message }) => comment(`  ${code}: ${oneLine(message)}`)),
]

/** Unchanged rows are only counted, unless something has to be known about them. */
const isTold = ({ comparison }: PlacedRow): boolean =>
  comparison.verdict !== 'unchanged' || comparison.warnings.length > 0

const selfCheckLine = (report: Report, selfChecks: readonly PlacedRow[]): string[] => {
  if (selfChecks.length === 0) return []
  const floor =
    report.noiseFloor === null
      ? 'too few for a noise floor'
      : `noise floor ${(fractionOf(report.noiseFloor) * 100).toFixed(2)} %`
  return [comment(`self-checks, the baseline against itself: ${selfChecks.length}, ${floor}`)]
}

/** Counts, then every row that asks for attention, worst first, then what holds for the whole run. */
export const verdictLines = (report: Report): string[] => [
  commentMark,
  comment(`verdicts: ${countsText(report)}`),
  ...placedRows(report, 'candidate').filter(isTold).flatMap(rowLines),
  ...selfCheckLine(report, placedRows(report, 'self-check')),
  ...report.warnings.map(({ code, message }) => comment(`warning: ${code}: ${oneLine(message)}`)),
]
