/** The verdicts below a text report, as comment lines, so that the table can be read back. */
import type { Report, Warning } from '@assay/model'
import { fractionOf } from '@assay/stats'
import { countsText, type PlacedRow, placedRows } from './places.ts'
import { reviewTexts } from './reviews.ts'
import { smallTimesText } from './small-times.ts'
import { oneLine } from './words.ts'

/** Starts a line that is not part of the table. `#` was taken by the headings. */
export const commentMark = ';'

const comment = (text: string): string => `${commentMark} ${text}`

const warningText = ({ code, message }: Warning): string => `${code}: ${oneLine(message)}`

/**
 * Unchanged rows are only counted, and why a row is unsupported stands in the table; but the table
 * cannot show times that are too short for it.
 */
const isTold = (placed: PlacedRow, unit: string): boolean =>
  !['unchanged', 'unsupported'].includes(placed.comparison.verdict) ||
  placed.comparison.warnings.length > 0 ||
  smallTimesText(placed, unit) !== null

/** A warning that many rows carry word for word is said once, with their number. */
const sharedWarnings = (rows: readonly PlacedRow[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { comparison } of rows) {
    for (const warning of comparison.warnings) {
      const text = warningText(warning)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  return new Map([...counts].filter(([, count]) => count > 1))
}

/** Rows under their verdict and place, which is said once for neighbours that share it. */
const toldLines = (rows: readonly PlacedRow[], unit: string): string[] => {
  const shared = sharedWarnings(rows)
  let heading = ''
  const lines = rows.flatMap((placed) => {
    const { comparison, place } = placed
    const times = smallTimesText(placed, unit)
    const previous = heading
    heading = [comparison.verdict, oneLine(place)].filter((part) => part !== '').join(': ')
    const own = comparison.warnings.map(warningText).filter((text) => !shared.has(text))
    return [
      ...(heading === previous ? [] : [comment(heading)]),
      comment(`  ${oneLine(comparison.reason)}`),
      ...(times === null ? [] : [comment(`    ${times}`)]),
      ...own.map((text) => comment(`    ${text}`)),
    ]
  })
  return [...lines, ...[...shared].map(([text, count]) => comment(`${text} (${count} rows)`))]
}

const selfCheckLine = (report: Report, selfChecks: readonly PlacedRow[]): string[] => {
  const measured = selfChecks.filter(({ comparison }) => comparison.effect !== null)
  if (measured.length === 0) return []
  const sizeOf = ({ comparison }: PlacedRow): number => Math.abs(comparison.effect ?? 0)
  const worst = measured.reduce((most, row) => (sizeOf(row) > sizeOf(most) ? row : most))
  const floor =
    report.noiseFloor === null
      ? 'too few for a noise floor'
      : `noise floor ${(fractionOf(report.noiseFloor) * 100).toFixed(2)} %, that of ${oneLine(worst.place)}`
  return [comment(`self-checks, the baseline against itself: ${measured.length}, ${floor}`)]
}

/** Counts, then every row that asks for attention, worst first, then what holds for the whole run. */
export const verdictLines = (report: Report): string[] => [
  commentMark,
  comment(`verdicts: ${countsText(report)}`),
  ...toldLines(
    placedRows(report, 'candidate').filter((placed) => isTold(placed, report.metric.unit)),
    report.metric.unit,
  ),
  ...selfCheckLine(report, placedRows(report, 'self-check')),
  ...reviewTexts(report).map((text) => comment(`review: ${oneLine(text)}`)),
  ...report.warnings.map(({ code, message }) => comment(`warning: ${code}: ${oneLine(message)}`)),
]
