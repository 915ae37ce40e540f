/**
 * Order statistics of all sums of one value from each of two lists, without forming them: two
 * samples have m x n differences. Rows and columns of that table ascend, so a bound is counted in
 * one walk along its staircase, and a search between sums that occur ends on the wanted one
 * exactly (after Johnson and Mizoguchi 1978). Memory stays linear.
 */

/** A table of `left[i] + right[j]`, both ascending and neither empty. */
export interface PairSums {
  readonly left: Float64Array
  readonly right: Float64Array
}

/** A table cut in two. */
export interface Split {
  /** Sums of at most the bound. */
  readonly count: number
  /** Largest sum of at most the bound, smallest above it. */
  readonly below: number
  readonly above: number
}

const splitAt = ({ left, right }: PairSums, bound: number): Split => {
  let count = 0
  let below = -Infinity
  let above = Infinity
  let column = right.length - 1
  for (let row = 0; row < left.length; row += 1) {
    const start = left[row] ?? 0
    while (column >= 0 && start + (right[column] ?? 0) > bound) column -= 1
    if (column >= 0) {
      count += column + 1
      below = Math.max(below, start + (right[column] ?? 0))
    }
    if (column + 1 < right.length) above = Math.min(above, start + (right[column + 1] ?? 0))
  }
  return { count, below, above }
}

const middleOf = (low: number, high: number): number => {
  const middle = low / 2 + high / 2
  // Neighbouring doubles have no middle: the lower one still splits them.
  return middle >= low && middle < high ? middle : low
}

/** The lowest and the highest sum. */
export const lowestSum = ({ left, right }: PairSums): number => (left[0] ?? 0) + (right[0] ?? 0)
export const highestSum = ({ left, right }: PairSums): number =>
  (left.at(-1) ?? 0) + (right.at(-1) ?? 0)

/** How many sums there are. */
export const countOf = ({ left, right }: PairSums): number => left.length * right.length

/** Two sums that follow each other in ascending order. */
export interface Neighbours {
  readonly below: number
  readonly above: number
}

interface Bracket {
  readonly low: number
  readonly high: number
  /** Sums below `low`, and sums of at most `high`. */
  readonly belowLow: number
  readonly upToHigh: number
}

/** Where the sum should lie were the sums between spread evenly: mostly a few steps from it. */
const interpolated = ({ low, high, belowLow, upToHigh }: Bracket, index: number): number => {
  const bound = low + ((index - belowLow) / (upToHigh - belowLow)) * (high - low)
  return bound >= low && bound < high ? bound : middleOf(low, high)
}

/** What the splits so far tell of where the sum at `index` lies. */
const bracketOf = (sums: PairSums, index: number, known: readonly Split[]): Bracket => {
  let [low, belowLow] = [lowestSum(sums), 0]
  let [high, upToHigh] = [highestSum(sums), countOf(sums)]
  for (const { count, below, above } of known) {
    if (count <= index && count >= belowLow) {
      belowLow = count
      low = above
    }
    if (count >= index && count <= upToHigh) {
      upToHigh = count
      high = below
    }
  }
  return { low, high, belowLow, upToHigh }
}

/**
 * The sums at `index` - 1 and at `index` from 0 in ascending order; both must be there. `known` are
 * splits of the same table, to which those of this search are added: the next one starts nearer.
 */
export const neighboursAt = (sums: PairSums, index: number, known: Split[] = []): Neighbours => {
  const found = known.find(({ count }) => count === index)
  if (found !== undefined) return found
  let bracket = bracketOf(sums, index, known)
  // Every other step halves, so that no outlier can make the steps many.
  for (let step = 0; bracket.low < bracket.high; step += 1) {
    const { low, high } = bracket
    const bound = step % 2 === 0 ? interpolated(bracket, index) : middleOf(low, high)
    const split = splitAt(sums, bound)
    known.push(split)
    if (split.count === index) return split
    bracket =
      split.count > index
        ? { ...bracket, high: split.below, upToHigh: split.count }
        : { ...bracket, low: split.above, belowLow: split.count }
  }
  return { below: bracket.low, above: bracket.high }
}

/** The sum at `index` from 0 in ascending order; `index` must be one of them. */
export const pairSumAt = (sums: PairSums, index: number, known: Split[] = []): number =>
  index === 0 ? lowestSum(sums) : neighboursAt(sums, index, known).above

/** The median of all sums: the mean of the middle two where there is no middle one. */
export const medianPairSum = (sums: PairSums, known: Split[] = []): number => {
  const size = countOf(sums)
  if (size % 2 === 1) return pairSumAt(sums, size >> 1, known)
  const { below, above } = neighboursAt(sums, size >> 1, known)
  return (below + above) / 2
}
