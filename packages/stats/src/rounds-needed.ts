/**
 * How many rounds would decide an inconclusive row: enough to show the effect that was seen, or to
 * show that there is none, whichever comes first. An estimate from this noise, never a promise.
 */
import type { Interval } from '@assay/model'
import { minimumRounds } from './min-rounds.ts'
import { type NoiseOf, pairsToShow } from './minimum-detectable.ts'

/** More than this is no advice: nobody measures a block ten thousand times. */
const mostRounds = 10_000

/** Where a comparison stands. Effects, bounds and intervals in ln ratios. */
export interface RoundsQuestion {
  readonly effect: number
  readonly interval90: Interval | null
  readonly noise: NoiseOf
  readonly rounds: number
  /** Smallest |effect| that counts as a change, and half-width of the band of no change. */
  readonly changeBound: number
  readonly sameBound: number
  /** Comparisons in the family. */
  readonly family: number
  /** Whether a significant change of this size would be flagged at all. */
  readonly canFlag: boolean
}

/** Pairs after which the 90 % interval, shrinking by their square root, lies within the band. */
const pairsToShowSame = (question: RoundsQuestion): number | null => {
  const { effect, interval90, sameBound, noise } = question
  if (interval90 === null || Math.abs(effect) >= sameBound) return null
  const above = (interval90.high - effect) / (sameBound - effect)
  const below = (effect - interval90.low) / (sameBound + effect)
  return noise.pairs * Math.max(above, below) ** 2
}

/** Rounds in all that would decide, or null when no number of them would, as far as one can tell. */
export const roundsNeeded = (question: RoundsQuestion): number | null => {
  const { effect, noise, rounds, changeBound, family, canFlag } = question
  if (noise.interval95 === null || noise.pairs === 0) {
    return Math.max(rounds + 1, minimumRounds(family, noise.pairing))
  }
  const isChange = canFlag && Math.abs(effect) >= changeBound
  const routes = [isChange ? pairsToShow(Math.abs(effect), noise) : null, pairsToShowSame(question)]
  const pairs = routes.reduce<number>(
    (least, route) => Math.min(least, route ?? Infinity),
    Infinity,
  )
  // Rounds that lost a sample will go on losing some: scale from pairs to rounds.
  const needed = Math.ceil((pairs * rounds) / noise.pairs)
  if (needed > mostRounds) return null
  return Math.max(needed, rounds + 1, minimumRounds(family, noise.pairing))
}
