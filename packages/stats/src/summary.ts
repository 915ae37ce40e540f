/** Location and spread of a cell's values; simple-statistics does the sums (compensated). */
import type { Summary } from '@assay/model'
import { mean, medianSorted } from 'simple-statistics'
import { ascending, medianOf } from './median.ts'

/** Values above this are scaled down first, so that no sum overflows: a power of two, so exact. */
const largest = 2 ** 960
const scale = 2 ** 64

const clamp = (value: number): number =>
  Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) + 0

/**
 * Summary of `values`, in their unit; null of none. The lowest is the best. The order of the
 * values does not matter, not even in the last digit.
 */
export const summarize = (values: readonly number[]): Summary | null => {
  if (values.length === 0) return null
  const factor = values.some((value) => Math.abs(value) > largest) ? scale : 1
  const sorted = ascending(values.map((value) => value / factor))
  const median = medianSorted(sorted)
  const [lowest = 0, highest = lowest] = [sorted[0], sorted.at(-1)]
  const bounded = Math.min(highest, Math.max(lowest, mean(sorted)))
  const mad = medianOf(sorted.map((value) => Math.abs(value - median)))
  return {
    count: values.length,
    median: clamp(median * factor),
    best: clamp(lowest * factor),
    // A mean lies between the extremes; rounding may not push it out.
    mean: clamp(bounded * factor),
    mad: clamp(mad * factor),
  }
}
