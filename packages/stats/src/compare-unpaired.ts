/** Two cells set against each other as wholes: imported samples, or cells of two runs. */
import { type ComparedNumbers, noNumbers, printedChange, type Side } from './compared-numbers.ts'
import { mannWhitney, unpairedShift } from './mann-whitney.ts'
import { goodValues } from './pairs.ts'
import { snapped } from './rounding.ts'

const testOf = (
  baseline: readonly number[],
  candidate: readonly number[],
): Partial<ComparedNumbers> => {
  const all = [...baseline, ...candidate]
  if (baseline.length === 0 || candidate.length === 0) return {}
  const same = all.every((value) => value === all[0])
  if (!same && all.some((value) => value <= 0)) return {}
  const logOf = same ? () => 0 : Math.log
  const [left, right] = [baseline.map(logOf), candidate.map(logOf)]
  const { estimate, intervals } = unpairedShift(left, right, [0.95, 0.9])
  const [interval95 = null, interval90 = null] = intervals.map((interval) =>
    interval === null ? null : { low: snapped(interval.low), high: snapped(interval.high) },
  )
  const { pValue } = mannWhitney(left, right)
  return { effect: snapped(estimate), interval95, interval90, pValue }
}

/** Compares two cells whose samples do not belong together by round. */
export const compareUnpaired = (baseline: Side, candidate: Side): ComparedNumbers => {
  const [left, right] = [baseline, candidate].map(({ samples }) => [
    ...goodValues(samples).values(),
  ])
  const count = Math.min(left?.length ?? 0, right?.length ?? 0)
  return {
    ...noNumbers,
    pairs: count,
    rounds: count,
    ...printedChange(baseline.summary, candidate.summary),
    ...testOf(left ?? [], right ?? []),
  }
}
