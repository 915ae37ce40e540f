/** Reviews in words: who decided what, when, about which rows, and whether it is of these samples. */
import type { Report, Review } from '@assay/model'
import { placedRows } from './places.ts'

const dayOf = (millis: number): string => {
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? 'at no known time' : `on ${date.toISOString().slice(0, 10)}`
}

/** Rows by what a person calls them: label and place, else the id of their cell. */
const rowNames = (report: Report): ReadonlyMap<string, string> =>
  new Map(
    placedRows(report, 'candidate').map(({ row, place }) => [
      row.cellId,
      `${row.label} (${place})`,
    ]),
  )

const reviewText = (review: Review, names: ReadonlyMap<string, string>): string => {
  const { decision, who, at, rows, reason, current } = review
  const about =
    rows === null ? 'the report' : rows.map((cell) => names.get(cell) ?? cell).join(', ')
  const stale = current ? '' : '; decided on other samples than these'
  return `${about} ${decision} by ${who.name} ${dayOf(at)}: ${reason}${stale}`
}

/** A sentence for each review, oldest first. */
export const reviewTexts = (report: Report): readonly string[] => {
  const { reviews = [] } = report
  if (reviews.length === 0) return []
  const names = rowNames(report)
  return reviews.map((review) => reviewText(review, names))
}
