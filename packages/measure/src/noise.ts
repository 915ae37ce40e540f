/**
 * A host's own noise: a short child that always does the same, many times, and what differences
 * could be told apart in spite of how its time varies. A look at a host, not a measurement of a campaign.
 */
import type { Invocation } from '@assay/model'
import { noiseNotMeasured } from './errors.ts'
import type { Launcher, LaunchRequest } from './launcher.ts'
import { launcherPrograms } from './launcher-process.ts'

/** How much the times of one and the same child vary. */
export interface Noise {
  /** How many times were taken. */
  readonly samples: number
  readonly medianSeconds: number
  /** Standard deviation over the mean. */
  readonly coefficientOfVariation: number
  /** Median absolute deviation over the median; what a few disturbed samples do not move. */
  readonly relativeMad: number
  /** Smallest relative effect (0.01 is 1 %) that a campaign of this many rounds could show. */
  readonly smallestEffects: readonly { readonly rounds: number; readonly effect: number }[]
}

/** The rounds of a quick look and of one at ease, for which the smallest effect is told. */
const toldRounds = [20, 45] as const

/** MAD to standard deviation of a normal distribution: 1 / quantile(3/4). */
const madToDeviation = 1.4826
/** Two-sided 5 % and a power of 80 %: the normal quantiles 1.96 and 0.84. */
const detection = 1.96 + 0.84
/** Efficiency of the signed-rank estimate on normal data: 3/pi (Hodges and Lehmann, 1963). */
const rankEfficiency = 3 / Math.PI

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2
}

/**
 * Judges times in the order they were taken. Neighbours are taken for the pairs of a round, so that
 * a drift counts as little as it would there; their log ratio lies around 0, as both are the same.
 */
export const noiseOf = (seconds: readonly number[]): Noise => {
  const middle = median(seconds)
  const average = mean(seconds)
  const variance =
    seconds.reduce((sum, value) => sum + (value - average) ** 2, 0) / (seconds.length - 1)
  const ratios = seconds.slice(1).map((value, at) => Math.abs(Math.log(value / (seconds[at] ?? 1))))
  const deviation = madToDeviation * median(ratios)
  return {
    samples: seconds.length,
    medianSeconds: middle,
    coefficientOfVariation: Math.sqrt(variance) / average,
    relativeMad: median(seconds.map((value) => Math.abs(value - middle))) / middle,
    smallestEffects: toldRounds.map((rounds) => ({
      rounds,
      effect: Math.expm1((detection * deviation) / Math.sqrt(rounds * rankEfficiency)),
    })),
  }
}

/** About 20 ms on a processor of 2020. */
const busyRounds = 10_000_000

/** The launcher's own loop; where it was not built, one in Node, whose start is a part of its time. */
const busyChild = ({ kind }: Launcher): Invocation['argv'] =>
  kind === 'native'
    ? [launcherPrograms.native, `--busy=${busyRounds}`]
    : [process.execPath, '-e', `for (let s = 1, n = ${busyRounds}; n > 0; n--) s = (s * 5) | 1`]

/** The request of a busy child, on the processors of a list or anywhere. */
export const busyRequest = (launcher: Launcher, cpus?: string): LaunchRequest => ({
  invocation: {
    argv: busyChild(launcher),
    ...{ workingDirectory: '/', environment: {}, expectedExitCodes: [0] },
  },
  ...{ stdout: '/dev/null', stderr: '/dev/null', timeoutSeconds: 60 },
  ...(cpus === undefined ? {} : { cpus }),
})

/** Wall-clock seconds of one child. Rejects with `noise-not-measured`, and as `Launcher.run`. */
export const timeBusyChild = async (
  launcher: Launcher,
  request: LaunchRequest,
): Promise<number> => {
  const result = await launcher.run(request)
  if (result.outcome !== 'good') throw noiseNotMeasured(result.explanation)
  return result.usage.wallSeconds
}
