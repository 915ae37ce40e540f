/**
 * Pairs by round: the two samples of a round shared the host's state, so their ratio is what is
 * judged. A sample that is not good, or lacks the metric, never pairs.
 */
import type { EvidenceSample } from '@assay/model'
import type { LogPairs } from './drift-free.ts'

/** One round in which both sides have a good value. */
export interface Pair {
  readonly round: number
  readonly baseline: number
  readonly candidate: number
}

/** The pairs of two cells, and the number of rounds in which either was measured at all. */
export interface Pairing {
  readonly pairs: readonly Pair[]
  readonly rounds: number
}

/** The judged value of a sample, or null if it cannot be judged. */
const goodValue = (sample: EvidenceSample): number | null =>
  sample.outcome === 'good' && sample.value !== null && Number.isFinite(sample.value)
    ? sample.value
    : null

/** The values of the samples that can be judged, by round. */
export const goodValues = (samples: readonly EvidenceSample[]): ReadonlyMap<number, number> => {
  const values = new Map<number, number>()
  for (const sample of samples) {
    const value = goodValue(sample)
    if (value !== null) values.set(sample.round, value)
  }
  return values
}

/** Pairs the samples of a baseline and another cell, in the order of rounds. */
export const pairByRound = (
  baseline: readonly EvidenceSample[],
  candidate: readonly EvidenceSample[],
): Pairing => {
  const baselineValues = goodValues(baseline)
  const pairs: Pair[] = []
  for (const [round, value] of goodValues(candidate)) {
    const counterpart = baselineValues.get(round)
    if (counterpart !== undefined) pairs.push({ round, baseline: counterpart, candidate: value })
  }
  const rounds = new Set([...baseline, ...candidate].map((sample) => sample.round))
  return {
    pairs: pairs.sort((left, right) => left.round - right.round),
    rounds: rounds.size,
  }
}

/**
 * Both sides of each pair as logarithms; null if a value is zero or negative, which has no ratio.
 * Differences of logarithms neither overflow nor change size when the sides are swapped.
 */
export const logPairs = (pairs: readonly Pair[]): LogPairs | null =>
  pairs.some((pair) => pair.baseline <= 0 || pair.candidate <= 0)
    ? null
    : {
        baseline: pairs.map((pair) => Math.log(pair.baseline)),
        candidate: pairs.map((pair) => Math.log(pair.candidate)),
      }
