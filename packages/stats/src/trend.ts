/**
 * Whether a cell's values rose or fell over the rounds: the test of Mann (1945) and Kendall, which
 * asks of every two rounds which was slower, and the size from the medians of the first and last
 * third, which single samples do not move.
 */
import { ascending, medianOf } from './median.ts'
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
  const ties: number[] = []
  const sorted = ascending(values)
  sorted.forEach((value, at) => {
    const previous = sorted[at - 1]
    if (previous !== undefined && value - previous <= logRounding) {
      ties.push((ties.pop() ?? 0) + 1)
    } else ties.push(1)
  })
  return ties
}

/** How many of the values so far lie below a place of the order, in a tree (Fenwick 1994). */
const countsBelow = (size: number) => {
  const tree = new Int32Array(size + 1)
  return {
    add(place: number): void {
      for (let at = place + 1; at <= size; at += at & -at) tree[at] = (tree[at] ?? 0) + 1
    },
    below(place: number): number {
      let count = 0
      for (let at = place; at > 0; at -= at & -at) count += tree[at] ?? 0
      return count
    },
  }
}

/** Of every two rounds, whether the later was slower (1), faster (-1), or the same: their sum. */
const concordance = (values: readonly number[]): number => {
  const order = Uint32Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const sorted = Float64Array.from(order, (round) => values[round] ?? 0)
  const count = values.length
  // By round: its own place in the order, and the places between which values are the same as its.
  const [places, starts, ends] = [0, 1, 2].map(() => new Uint32Array(count))
  if (places === undefined || starts === undefined || ends === undefined) return 0
  let start = 0
  let end = 0
  sorted.forEach((value, place) => {
    while (value - (sorted[start] ?? 0) > logRounding) start += 1
    while (end < count && value - (sorted[end] ?? 0) >= -logRounding) end += 1
    const round = order[place] ?? 0
    places[round] = place
    starts[round] = start
    ends[round] = end
  })
  const earlier = countsBelow(count)
  let sum = 0
  for (let round = 0; round < count; round += 1) {
    const slower = earlier.below(starts[round] ?? 0)
    const faster = round - earlier.below(ends[round] ?? 0)
    sum += slower - faster
    earlier.add(places[round] ?? 0)
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
