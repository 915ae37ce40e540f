/**
 * The verdict on one comparison that was measured: significant and relevant is a change, an
 * interval inside the tolerance is none, all else is inconclusive and says what would decide.
 * A flag wins over the band: with a threshold below the tolerance, a small change that is certain
 * is still a change, and the reason says so. Every bound acts on |ln ratio|, so that swapping the
 * sides mirrors the verdict.
 */
import type { MetricDescription, SamplePairing, Verdict, VerdictRules } from '@assay/model'
import { bootstrapInterval } from './bootstrap.ts'
import type { ComparedNumbers } from './compared-numbers.ts'
import { doubtOf } from './doubts.ts'
import type { SampleShare } from './drafts.ts'
import { isEquivalent } from './equivalence.ts'
import type { MeanShift } from './mean-shift.ts'
import { meanOf } from './median.ts'
import { minimumDetectable } from './minimum-detectable.ts'
import type { Pair } from './pairs.ts'
import { atLeast, fractionOf } from './rounding.ts'
import { roundsNeeded } from './rounds-needed.ts'
import {
  counted,
  effectText,
  intervalText,
  isTime,
  percentText,
  pValueText,
  signedNumber,
} from './sentences.ts'

/** What a comparison is decided with. */
export interface DecisionBasis {
  readonly numbers: ComparedNumbers
  readonly adjustedPValue: number | null
  readonly rules: VerdictRules
  /** Comparisons whose false discoveries are controlled together. */
  readonly family: number
  /** As |ln ratio|; null if not measured. */
  readonly noiseFloor: number | null
  readonly metric: MetricDescription
  readonly labels: { readonly baseline: string; readonly candidate: string }
  readonly pairing: SamplePairing
  /** The pairs behind the numbers, for what can be said of values without a ratio. */
  readonly pairs: readonly Pair[]
  /** The baseline's samples and the candidate's, lost ones counted. */
  readonly shares: readonly SampleShare[]
  readonly meanShift: MeanShift | null
}

/** The fields of a `Comparison` that the rules decide. */
export interface Decision {
  readonly verdict: Verdict
  readonly reason: string
  readonly minimumDetectable: number | null
  readonly roundsNeeded: number | null
}

const decided = (verdict: Verdict, reason: string): Decision => ({
  verdict,
  reason,
  minimumDetectable: null,
  roundsNeeded: null,
})

/** Why a significant effect is still no change, or null if it is one. */
const irrelevance = (effect: number, basis: DecisionBasis): string | null => {
  const { rules, noiseFloor, numbers, metric } = basis
  const size = Math.abs(effect)
  if (!atLeast(size, Math.log1p(rules.threshold))) {
    return `less than the threshold of ${percentText(rules.threshold)}`
  }
  if (isTime(metric.unit) && Math.abs(numbers.difference ?? 0) < rules.minDifferenceSeconds) {
    return `a difference below the smallest that counts, ${rules.minDifferenceSeconds} s`
  }
  if (noiseFloor !== null && atLeast(noiseFloor, size)) {
    return `not above the noise floor of ${percentText(fractionOf(noiseFloor))} that the self-checks measured`
  }
  if (metric.direction === 'neutral') return `${metric.name} has no better direction`
  return null
}

const statement = (effect: number, basis: DecisionBasis): string => {
  const { labels, numbers, metric, adjustedPValue, pairing } = basis
  const words = effectText(effect, metric.unit)
  const joint = effect === 0 ? 'as' : 'than'
  const facts = [
    ...(numbers.interval95 === null ? [] : [`95 % interval ${intervalText(numbers.interval95)}`]),
    pairing === 'paired'
      ? counted(numbers.pairs, 'pair')
      : `at least ${counted(numbers.pairs, 'sample')} a side`,
    ...(adjustedPValue === null ? [] : [`${pValueText(adjustedPValue)} after correction`]),
  ]
  return `${labels.candidate} is ${words} ${joint} ${labels.baseline} (${facts.join(', ')})`
}

const changed = (effect: number, basis: DecisionBasis): Decision => {
  const { threshold, tolerance } = basis.rules
  const within = isEquivalent(basis.numbers.interval90, tolerance)
    ? `; it lies within the tolerance of ${percentText(tolerance)} too, but a certain change of at least the threshold of ${percentText(threshold)} is a change`
    : ''
  const isWorse = basis.metric.direction === 'higher-is-better' ? effect < 0 : effect > 0
  const verdict = isWorse ? 'regression' : 'improvement'
  return decided(verdict, `${statement(effect, basis)}${within}.`)
}

/** The last clause of an inconclusive row: what these rounds could show, and how many would do. */
const advice = (detectable: number | null, rounds: number | null): string => {
  const could =
    detectable === null
      ? 'this few rounds cannot show any change'
      : `this many rounds would have shown ${percentText(fractionOf(detectable))}`
  const would = rounds === null ? '' : `; about ${counted(rounds, 'round')} in all would decide`
  return `${could}${would}`
}

const undecided = (effect: number, basis: DecisionBasis, veto: string | null): Decision => {
  const { numbers, rules, family, noiseFloor } = basis
  const noise = {
    pairs: numbers.pairs,
    interval95: numbers.interval95,
    level: rules.falseDiscoveryRate / Math.max(1, family),
    pairing: basis.pairing,
  }
  const changeBound = Math.max(Math.log1p(rules.threshold), noiseFloor ?? 0)
  const detectable = minimumDetectable(noise, changeBound)
  const rounds = roundsNeeded({
    effect,
    interval90: numbers.interval90,
    noise,
    rounds: numbers.rounds,
    changeBound,
    sameBound: Math.log1p(rules.tolerance),
    family,
    canFlag: irrelevance(effect, basis) === null,
  })
  const why = veto === null ? 'the noise allows both a change and none' : `certain, but ${veto}`
  return {
    verdict: 'inconclusive',
    reason: `${statement(effect, basis)}: ${why}; ${advice(detectable, rounds)}.`,
    minimumDetectable: detectable === null ? null : fractionOf(detectable),
    roundsNeeded: rounds,
  }
}

/** Of values without a ratio: how much the mean differs, which needs none. */
const meanDifference = ({ pairs, metric }: DecisionBasis): string => {
  const interval = bootstrapInterval({
    values: pairs.map((pair) => pair.candidate - pair.baseline),
    statistic: meanOf,
    confidence: 0.95,
    seed: 'mean difference',
  })
  return interval === null
    ? ''
    : `; the mean differs by ${signedNumber(interval.low)} to ${signedNumber(interval.high)} ${metric.unit} (95 % interval by bootstrap)`
}

/** Why there is no effect to decide on. */
const withoutEffect = (basis: DecisionBasis): string => {
  const { baseline, candidate } = basis.labels
  if (basis.numbers.pairs > 0) {
    return `A value of zero or less has no ratio, so ${candidate} cannot be set against ${baseline}${meanDifference(basis)}.`
  }
  return basis.pairing === 'paired'
    ? `No round has a good sample of both ${baseline} and ${candidate}.`
    : `${baseline} or ${candidate} has no good sample.`
}

/** What test and interval say of an effect. */
const tested = (effect: number, adjustedPValue: number, basis: DecisionBasis): Decision => {
  const { numbers, rules } = basis
  const significant = adjustedPValue <= rules.falseDiscoveryRate
  const veto = significant ? irrelevance(effect, basis) : null
  if (significant && veto === null) return changed(effect, basis)
  if (isEquivalent(numbers.interval90, rules.tolerance)) {
    const band = `the 90 % interval lies within +-${percentText(rules.tolerance)}`
    return decided('unchanged', `${statement(effect, basis)}: ${band}.`)
  }
  return undecided(effect, basis, veto)
}

/** Decides one measured comparison; without an effect, or with a doubt, it is inconclusive. */
export const decide = (basis: DecisionBasis): Decision => {
  const { numbers, adjustedPValue, labels, shares, meanShift } = basis
  const { effect } = numbers
  if (effect === null || adjustedPValue === null) {
    return decided('inconclusive', withoutEffect(basis))
  }
  const decision = tested(effect, adjustedPValue, basis)
  const doubt = doubtOf({ verdict: decision.verdict, effect, labels, shares, meanShift })
  return doubt === null
    ? decision
    : decided('inconclusive', `${statement(effect, basis)}, but ${doubt}.`)
}
