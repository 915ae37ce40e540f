/**
 * The two sides of a block freed of the host's drift: what the rounds around a round have in common
 * is subtracted from both of its samples. Their ratio stays, and which of the two was which has no
 * part in it, so that a test by swapping them is as valid as before.
 */
import { medianOf } from './median.ts'

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

/** The pairs less the running median of their middles. */
export const withoutDrift = ({ baseline, candidate }: LogPairs): LogPairs => {
  const middles = baseline.map((value, at) => value / 2 + (candidate[at] ?? value) / 2)
  const levels = middles.map((_, at) =>
    medianOf(middles.slice(Math.max(0, at - reach), at + reach + 1)),
  )
  const freed = (values: readonly number[]): number[] =>
    values.map((value, at) => value - (levels[at] ?? 0))
  return { baseline: freed(baseline), candidate: freed(candidate) }
}
