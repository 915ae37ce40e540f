/**
 * The two sides of a block freed of the host's drift: what the rounds around a round have in common
 * is subtracted from both of its samples. Their ratio stays, and which of the two was which has no
 * part in it, so that a test by swapping them is as valid as before.
 */

/** Both sides by round, as logarithms; as many of one as of the other. */
export interface LogPairs {
  readonly baseline: readonly number[]
  readonly candidate: readonly number[]
}

/**
 * Rounds to each side that tell a round's level, as a running median does (Tukey 1977): fifteen
 * rounds outvote a burst and still follow a host that warms up.
 */
const reach = 7

/** Puts a value into the ascending first `count` of `window`. */
const insert = (window: Float64Array, count: number, value: number): void => {
  let at = count
  for (; at > 0 && (window[at - 1] ?? value) > value; at -= 1) window[at] = window[at - 1] ?? value
  window[at] = value
}

/** Takes a value out of the ascending first `count` of `window`, which holds it. */
const remove = (window: Float64Array, count: number, value: number): void => {
  let at = 0
  while (at < count - 1 && window[at] !== value) at += 1
  window.copyWithin(at, at + 1, count)
}

/** The median of each value with its neighbours; the window stays sorted as it moves on. */
const runningMedians = (values: readonly number[]): Float64Array => {
  const medians = new Float64Array(values.length)
  const window = new Float64Array(2 * reach + 2)
  let count = 0
  for (let next = 0; next < values.length + reach; next += 1) {
    const [coming, going] = [values[next], values[next - 2 * reach - 1]]
    if (coming !== undefined) {
      insert(window, count, coming)
      count += 1
    }
    if (going !== undefined) {
      remove(window, count, going)
      count -= 1
    }
    const [low = 0, high = 0] = [window[(count - 1) >> 1], window[count >> 1]]
    if (next >= reach) medians[next - reach] = low / 2 + high / 2
  }
  return medians
}

/** The pairs less the running median of their middles. */
export const withoutDrift = ({ baseline, candidate }: LogPairs): LogPairs => {
  const middles = baseline.map((value, at) => value / 2 + (candidate[at] ?? value) / 2)
  const levels = runningMedians(middles)
  const freed = (values: readonly number[]): number[] =>
    values.map((value, at) => value - (levels[at] ?? 0))
  return { baseline: freed(baseline), candidate: freed(candidate) }
}
