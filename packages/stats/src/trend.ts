/**
 * Whether a cell's values rose or fell over the rounds: the test of Mann (1945) and Kendall, which
 * asks of every two rounds which was slower, and the size from the medians of the first and last
 * third, which single samples do not move.
 */
import { medianOf } from './median.ts'
import { upperTail } from './normal.ts'
import { logRounding } from './rounding.ts'

/** A trend of logarithms in the order of rounds. */
export interface Trend {
  readonly pValue: number
  /** ln of the last third's median over the first third's. */
  readonly rise: number
}

/** Numbers of values that are tied, for each tie. */
const tiesOf = (values: readonly number[]): number[] => {
  const sorted = [...values].sort((left, right) => left - right)
  const ties: number[] = []
  sorted.forEach((value, at) => {
    const previous = sorted[at - 1]
    if (previous !== undefined && value - previous <= logRounding) {
      ties.push((ties.pop() ?? 0) + 1)
    } else ties.push(1)
  })
  return ties
}

const concordance = (values: readonly number[]): number => {
  const series = Float64Array.from(values)
  let sum = 0
  for (let at = 1; at < series.length; at += 1) {
    const later = series[at] ?? 0
    for (let earlier = 0; earlier < at; earlier += 1) {
      const rise = later - (series[earlier] ?? 0)
      sum += (rise > logRounding ? 1 : 0) - (rise < -logRounding ? 1 : 0)
    }
  }
  return sum
}

/** The trend of `logs`, normal approximation with ties and continuity; p = 1 of fewer than three. */
export const trendOf = (logs: readonly number[]): Trend => {
  const count = logs.length
  if (count < 3) return { pValue: 1, rise: 0 }
  const spread = (n: number): number => n * (n - 1) * (2 * n + 5)
  const variance = (spread(count) - tiesOf(logs).reduce((sum, tie) => sum + spread(tie), 0)) / 18
  const distance = Math.max(0, Math.abs(concordance(logs)) - 1)
  const third = Math.ceil(count / 3)
  return {
    pValue: variance > 0 ? Math.min(1, 2 * upperTail(distance / Math.sqrt(variance))) : 1,
    rise: medianOf(logs.slice(-third)) - medianOf(logs.slice(0, third)),
  }
}
