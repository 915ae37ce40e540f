/**
 * A seeded bootstrap interval (BCa; Efron 1987), for statistics that have no exact interval. Used
 * where values of zero leave no ratio, to say how much the mean of a count differs: everywhere else
 * the interval is the exact one of the test. It never decides anything.
 */
import { type Interval, seededRandom } from '@assay/model'
import { upperQuantile, upperTail } from './normal.ts'

/** Draws: enough that the ends of a 95 % interval rest on 25 of them each. */
const resamples = 999

/** Fewer values than this say nothing of their own spread. */
const fewestValues = 6

/** Everything the interval depends on; the same seed gives the same interval. */
export interface BootstrapQuestion {
  readonly values: readonly number[]
  readonly statistic: (values: readonly number[]) => number
  readonly confidence: number
  readonly seed: string
}

const quantileOf = (probability: number): number => {
  const bounded = Math.min(1 - 1e-9, Math.max(1e-9, probability))
  return bounded < 0.5 ? -upperQuantile(bounded) : upperQuantile(1 - bounded)
}

/** Skewness of the statistic's response to leaving one value out: the acceleration. */
const accelerationOf = ({ values, statistic }: BootstrapQuestion): number => {
  const without = values.map((_, left) => statistic(values.filter((_value, at) => at !== left)))
  const mean = without.reduce((sum, value) => sum + value, 0) / without.length
  const power = (exponent: number): number =>
    without.reduce((sum, value) => sum + (mean - value) ** exponent, 0)
  const squares = power(2)
  return squares === 0 ? 0 : power(3) / (6 * squares ** 1.5)
}

/** The interval of the statistic; null of fewer than six values, or where it is not finite. */
export const bootstrapInterval = (question: BootstrapQuestion): Interval | null => {
  const { values, statistic, confidence, seed } = question
  if (values.length < fewestValues) return null
  const random = seededRandom(seed)
  const estimate = statistic(values)
  const draws = Array.from({ length: resamples }, () =>
    statistic(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).sort((left, right) => left - right)
  // Draws equal to the estimate count half, so that a mirrored statistic has the mirrored interval.
  const below = draws.filter((draw) => draw < estimate).length
  const equal = draws.filter((draw) => draw === estimate).length
  const bias = quantileOf((below + equal / 2) / resamples)
  const acceleration = accelerationOf(question)
  const endAt = (z: number): number => {
    const adjusted = bias + (bias + z) / (1 - acceleration * (bias + z))
    const place = Math.round((1 - upperTail(adjusted)) * (resamples - 1))
    return draws[Math.min(resamples - 1, Math.max(0, place))] ?? estimate
  }
  const reach = upperQuantile((1 - confidence) / 2)
  const [low, high] = [endAt(-reach), endAt(reach)]
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : null
}
