/** Numbers and names in the words of a report's reasons. English, metric-aware, always finite. */
import type { Interval } from '@assay/model'
import { fractionOf } from './rounding.ts'

/** A fraction as a percentage: 0.1038 -> `10.4 %`, 0.0042 -> `0.42 %`. */
export const percentText = (fraction: number): string => {
  const percent = fraction * 100
  if (Math.abs(percent) >= 1e6) return `${percent.toExponential(1)} %`
  return `${percent.toFixed(Math.abs(percent) < 9.95 ? 2 : 1)} %`
}

/** An ln ratio as a percentage with its sign: `+9.80 %`. */
export const signedPercent = (logRatio: number): string => {
  const text = percentText(fractionOf(logRatio))
  return text.startsWith('-') ? text : `+${text}`
}

/** An interval of ln ratios as signed percentages: `+9.80 % to +11.0 %`. */
export const intervalText = (interval: Interval): string =>
  `${signedPercent(interval.low)} to ${signedPercent(interval.high)}`

/** Whether the metric is a time, of which people say slower and faster. */
export const isTime = (unit: string): boolean => unit === 'seconds' || unit === 's'

/** An effect in words, without the sides: `10.4 % slower`, `3.00 times faster`, `the same`. */
export const effectText = (effect: number, unit: string): string => {
  if (effect === 0) return 'the same'
  const [more, less] = isTime(unit) ? ['slower', 'faster'] : ['more', 'less']
  const word = effect > 0 ? more : less
  if (Math.abs(effect) < Math.LN2) return `${percentText(Math.abs(fractionOf(effect)))} ${word}`
  return `${(fractionOf(Math.abs(effect)) + 1).toPrecision(3)} times ${word}`
}

/** A p-value: `p = 0.0123`, or `p < 0.0001`. */
export const pValueText = (pValue: number): string =>
  pValue < 0.0001 ? 'p < 0.0001' : `p = ${pValue.toFixed(4)}`

/** A count with its noun: `1 pair`, `20 pairs`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** A number with its sign, four digits: `+3.250`, `-12.00`, `+0`. */
export const signedNumber = (value: number): string =>
  value === 0 ? '+0' : `${value > 0 ? '+' : ''}${value.toPrecision(4)}`
