/**
 * How many rounds, and when to look at them. Looks are few and fixed, and what is looked at is the
 * width of the interval, never significance: peeking at p-values makes false alarms.
 */

/** Fewest rounds that a rank test needs in practice, however few the rows. */
const fewestRounds = 12

/** The level at which a lone changed row must be able to show (Benjamini-Hochberg over all rows). */
const level = 0.05

/**
 * The fewest rounds with which one changed row among `rows` comparisons can be flagged: the
 * smallest two-sided p of n pairs is 2 / 2^n and must reach 0.05 / rows.
 */
export const minimumRounds = (rows: number): number =>
  Math.max(fewestRounds, Math.ceil(Math.log2((2 * Math.max(1, rows)) / level)))

/** The first rounds after which precision is looked at; each costs a third to a half more. */
export const looks: readonly number[] = [20, 30, 45, 60, 90, 120, 180, 240, 360, 480]

/** The first look after `rounds` rounds; beyond the list, doublings of its end. */
export const nextLook = (rounds: number): number => {
  const listed = looks.find((look) => look > rounds)
  if (listed !== undefined) return listed
  const last = looks.at(-1) ?? 1
  return last * 2 ** (Math.floor(Math.log2(rounds / last)) + 1)
}
