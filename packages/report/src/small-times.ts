/**
 * Times that are too short for the table's six decimals of a second, in the unit that fits a row.
 * The table keeps its format, which other programs read; whatever stands beside it says these.
 */
import type { ReportBlock, ReportRow } from '@assay/model'

/** Whether the metric is a time. */
export const isSeconds = (unit: string): boolean => unit === 'seconds' || unit === 's'

/** Below this, six decimals of a second are fewer than four digits. */
const shortSeconds = 0.001

const microseconds = { name: 'µs', perSecond: 1e6 } as const
const nanoseconds = { name: 'ns', perSecond: 1e9 } as const

/** A unit for short times, and the decimals that give the largest of them four digits. */
export interface SmallTimeUnit {
  readonly name: string
  readonly perSecond: number
  readonly decimals: number
}

/** The unit for values that are read side by side; null where seconds do. */
export const smallTimeUnit = (values: readonly number[], unit: string): SmallTimeUnit | null => {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (!isSeconds(unit) || largest === 0 || largest >= shortSeconds) return null
  const { name, perSecond } = largest >= 1e-6 ? microseconds : nanoseconds
  const digitsBefore = Math.floor(Math.log10(largest * perSecond)) + 1
  return { name, perSecond, decimals: Math.min(6, Math.max(0, 4 - digitsBefore)) }
}

/** `2.410 µs`. */
export const smallTimeText = (seconds: number, unit: SmallTimeUnit): string =>
  `${(seconds * unit.perSecond).toFixed(unit.decimals)} ${unit.name}`

/** `+0.0100 µs`: a difference of two such times, in their unit. */
export const smallDifferenceText = (
  seconds: number,
  unit: Pick<SmallTimeUnit, 'name' | 'perSecond'>,
): string => {
  const text = Math.abs(seconds * unit.perSecond).toPrecision(3)
  return `${seconds < 0 ? '-' : '+'}${Number(text) === 0 ? '0' : text} ${unit.name}`
}

/** The unit for the medians of a row and its baseline; null where seconds do. */
export const rowTimeUnit = (
  row: ReportRow,
  baseline: ReportRow | null,
  unit: string,
): SmallTimeUnit | null =>
  smallTimeUnit(
    [row.summary, baseline?.summary ?? null].flatMap((summary) => summary?.median ?? []),
    unit,
  )

/** `2.410 µs against 2.400 µs, a difference of +0.0100 µs`; null where the table says enough. */
export const smallTimesText = (
  { block, row }: { readonly block: ReportBlock; readonly row: ReportRow },
  unit: string,
): string | null => {
  const baseline = block.rows.find(({ role }) => role === 'baseline')?.summary ?? null
  if (baseline === null || row.summary === null) return null
  const small = smallTimeUnit([baseline.median, row.summary.median], unit)
  if (small === null) return null
  const values = [row.summary.median, baseline.median].map((value) => smallTimeText(value, small))
  const difference = row.comparison?.difference ?? null
  const words = values.join(' against ')
  return difference === null
    ? words
    : `${words}, a difference of ${smallDifferenceText(difference, small)}`
}
