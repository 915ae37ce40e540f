/**
 * The Hodges-Lehmann estimate of paired differences: the median of their Walsh averages, and the
 * interval that belongs to the signed-rank test (Hodges and Lehmann 1963; Hollander and Wolfe,
 * section 3.2). Robust to outliers, and it excludes zero exactly when the test does.
 */
import type { Interval } from '@assay/model'
import { upperQuantile } from './normal.ts'
import { exactUpTo, rankSumDistribution, untiedRanks } from './rank-distribution.ts'

/** Means of every pair of differences, each with itself too, ascending. */
const walshAverages = (differences: readonly number[]): Float64Array => {
  const count = differences.length
  const averages = new Float64Array((count * (count + 1)) / 2)
  let at = 0
  for (let first = 0; first < count; first += 1) {
    for (let second = first; second < count; second += 1) {
      averages[at] = (differences[first] ?? 0) / 2 + (differences[second] ?? 0) / 2
      at += 1
    }
  }
  return averages.sort()
}

const exactMargin = (count: number, tail: number): number => {
  const chance = rankSumDistribution(untiedRanks(count))
  let reached = 0
  let margin = 0
  for (let sum = 0; sum < chance.length; sum += 2) {
    reached += chance[sum] ?? 0
    if (reached > tail) break
    margin += 1
  }
  return margin
}

const normalMargin = (count: number, tail: number): number => {
  const mean = (count * (count + 1)) / 4
  const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24)
  return Math.max(0, Math.floor(mean - 0.5 - upperQuantile(tail) * deviation) + 1)
}

/** How many Walsh averages to leave out at each end; 0 when so few pairs reach no such interval. */
const marginOf = (count: number, confidence: number): number => {
  const tail = (1 - confidence) / 2
  return count <= exactUpTo ? exactMargin(count, tail) : normalMargin(count, tail)
}

/** An estimate with one interval for each wanted confidence, null where too few pairs allow none. */
export interface HodgesLehmann {
  readonly estimate: number
  readonly intervals: readonly (Interval | null)[]
}

/**
 * The shift of `differences`, of which there is at least one, in their unit. A 95 % interval needs
 * six differences, a 90 % interval five: fewer sign patterns than 1/tail cannot exclude anything.
 */
export const hodgesLehmann = (
  differences: readonly number[],
  confidences: readonly number[],
): HodgesLehmann => {
  const averages = walshAverages(differences)
  const size = averages.length
  const at = (index: number): number => (averages[index] ?? 0) + 0
  const estimate = (at((size - 1) >> 1) + at(size >> 1)) / 2
  const intervals = confidences.map((confidence) => {
    const margin = marginOf(differences.length, confidence)
    return margin === 0 ? null : { low: at(margin - 1), high: at(size - margin) }
  })
  return { estimate, intervals }
}
