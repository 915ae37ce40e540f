/**
 * How many rounds, and when to look at them. Looks are few and fixed, and what is looked at is the
 * width of the interval, never significance: peeking at p-values makes false alarms.
 */

import type { SamplePairing } from '@assay/model'

/** Fewest rounds that a rank test needs in practice, however few the rows. */
const fewestRounds = 12

/** The level at which a lone changed row must be able to show (Benjamini-Hochberg over all rows). */
const level = 0.05

/** Fewest samples a side where rounds do not pair them; fewer cannot reach 5 % at all. */
const fewestUnpaired = 4

/**
 * Smallest two-sided p that `count` pairs, or `count` unpaired samples a side, can reach: every
 * round, or every pair of samples, says the same.
 */
export const smallestPValue = (count: number, pairing: SamplePairing): number => {
  return pairing === 'paired' ? 2 ** (1 - count) : smallestUnpairedPValue(count, count)
}

/** Smallest two-sided p of so many values on one side and on the other: 2 / C(one + other, one). */
export const smallestUnpairedPValue = (one: number, other: number): number => {
  let chance = 2
  for (let n = 1; n <= Math.min(one, other); n += 1) chance *= n / (Math.max(one, other) + n)
  return chance
}

/** What the smallest p must reach for one changed row among `rows` comparisons to be flagged. */
export const flagLevel = (rows: number): number => level / Math.max(1, rows)

/**
 * The fewest rounds, or unpaired samples a side, with which one changed row among `rows`
 * comparisons can be flagged: the smallest p must reach 0.05 / rows.
 */
export const minimumRounds = (rows: number, pairing: SamplePairing = 'paired'): number => {
  let count = pairing === 'paired' ? fewestRounds : fewestUnpaired
  while (smallestPValue(count, pairing) > flagLevel(rows)) count += 1
  return count
}

/** The first rounds after which precision is looked at; each costs a third to a half more. */
export const looks: readonly number[] = [20, 30, 45, 60, 90, 120, 180, 240, 360, 480]

/** The first look after `rounds` rounds; beyond the list, doublings of its end. */
export const nextLook = (rounds: number): number => {
  const listed = looks.find((look) => look > rounds)
  if (listed !== undefined) return listed
  const last = looks.at(-1) ?? 1
  return last * 2 ** (Math.floor(Math.log2(rounds / last)) + 1)
}
