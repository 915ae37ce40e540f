/** Things to know about a row or a run: they travel with it and never change a verdict. */
import type { SamplePairing, Verdict, Warning } from '@assay/model'
import type { ComparedNumbers } from './compared-numbers.ts'
import { lossesText, meanText } from './doubts.ts'
import type { SampleShare } from './drafts.ts'
import type { MeanShift, SideValues } from './mean-shift.ts'
import { flagLevel, minimumRounds, smallestUnpairedPValue } from './min-rounds.ts'
import { logPairs, type Pair } from './pairs.ts'
import { fractionOf, logRounding } from './rounding.ts'
import { counted, isTime, percentText, signedPercent } from './sentences.ts'
import { type Modes, modesOf, modesOfSide } from './several-modes.ts'
import { trendOf } from './trend.ts'

/** What a row's warnings depend on. */
export interface WarningBasis {
  readonly numbers: ComparedNumbers
  readonly verdict: Verdict
  /** Comparisons in the family. */
  readonly family: number
  /** A self-check of this run was flagged, so flags are suspect. */
  readonly suspect: boolean
  readonly labels: { readonly baseline: string; readonly candidate: string }
  readonly pairing: SamplePairing
  readonly shares: readonly SampleShare[]
  /** The pairs behind the numbers, in the order of rounds. */
  readonly pairs: readonly Pair[]
  readonly values: SideValues
  /** Of the metric. */
  readonly unit: string
  readonly meanShift: MeanShift | null
}

/** Fewer values than this may be equal by chance. */
const fewestForTicks = 12

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

type Rule = (basis: WarningBasis) => Warning | null

const isFlagged = (verdict: Verdict): boolean =>
  verdict === 'regression' || verdict === 'improvement'

const medianDisagrees: Rule = ({ numbers, verdict }) => {
  const { change, effect } = numbers
  if (!isFlagged(verdict) || change === null || effect === null) return null
  if (Math.abs(change) <= logRounding || Math.sign(change) === Math.sign(effect)) return null
  const message = `The change of the medians, ${percentText(change)}, has the other sign than the paired effect, ${percentText(fractionOf(effect))}, which decides.`
  return { code: 'median-disagrees', message }
}

const tooFewRounds: Rule = ({ numbers, family, pairing, values }) => {
  const needed = minimumRounds(family, pairing)
  if (numbers.pairs === 0 || numbers.pairs >= needed) return null
  // Many samples on one side make up for few on the other.
  const sizes = [values.baseline.length, values.candidate.length] as const
  if (pairing === 'unpaired' && smallestUnpairedPValue(...sizes) <= flagLevel(family)) return null
  const noun = pairing === 'paired' ? 'pair' : 'sample'
  const flagged =
    family === 1
      ? `it takes at least ${needed} for a change to be flagged`
      : `with ${family} comparisons it takes at least ${needed} for one of them to be flagged`
  const message = `${counted(numbers.pairs, noun)}, but ${flagged}.`
  return { code: 'too-few-rounds', message }
}

const missingPairs: Rule = ({ numbers, shares }) => {
  if (numbers.pairs >= numbers.rounds) return null
  const lost = shares.some(({ good, all }) => good < all) ? ` (lost: ${lossesText(shares)})` : ''
  const message = `${numbers.pairs}/${numbers.rounds} rounds have a good sample on both sides${lost}.`
  return { code: 'missing-pairs', message }
}

/** That some samples of unpaired sides cannot be judged; null if all can. */
export const lostSamplesOf = (shares: readonly SampleShare[]): Warning | null => {
  const lossy = shares.filter(({ good, all }) => good < all)
  if (lossy.length === 0) return null
  const parts = lossy.map(({ label, good, all }) => `${good}/${all} of ${label}`)
  const message = `Only good samples are judged: ${parts.join(', ')} (lost: ${lossesText(shares)}).`
  return { code: 'missing-samples', message }
}

/** Of paired rows the missing pairs tell it already. */
const lostSamples: Rule = ({ pairing, shares }) =>
  pairing === 'paired' ? null : lostSamplesOf(shares)

const leftProcesses: Rule = ({ shares }) => {
  const leaving = shares.filter(({ stragglers }) => stragglers > 0)
  if (leaving.length === 0) return null
  const parts = leaving.map(
    ({ label, stragglers, good }) => `${stragglers} by the ${counted(good, 'sample')} of ${label}`,
  )
  const message = `Processes were left behind and killed (${parts.join(', ')}): what they did after the command ended is not in its time. Let the command wait for them.`
  return { code: 'stragglers', message }
}

const withoutRatio: Rule = ({ numbers }) =>
  numbers.pairs > 0 && numbers.effect === null
    ? { code: 'nonpositive-value', message: 'A value of zero or less has no ratio.' }
    : null

const suspectFlag: Rule = ({ verdict, suspect }) =>
  suspect && isFlagged(verdict)
    ? {
        code: 'suspect',
        message: 'A self-check of this run was flagged as well: the host was not quiet enough.',
      }
    : null

/** Each side alone; together a row is warned of without cause in one of a hundred at most. */
const trendLevel = 0.005

/** A smaller trend than this does not matter to anybody: the default threshold, 1 %. */
const smallestTrend = Math.log1p(0.01)

const drift: Rule = ({ pairs, labels }) => {
  const logs = logPairs(pairs)
  if (logs === null) return null
  const sides = [
    { label: labels.baseline, trend: trendOf(logs.baseline) },
    { label: labels.candidate, trend: trendOf(logs.candidate) },
  ].filter(({ trend }) => trend.pValue <= trendLevel && Math.abs(trend.rise) >= smallestTrend)
  if (sides.length === 0) return null
  const changes = sides.map(({ label, trend }) => `${label} by ${signedPercent(trend.rise)}`)
  const message = `Values drifted over the rounds: ${changes.join(', ')} from the first third to the last.`
  return { code: 'drift', message }
}

const modesText = ({ distance, upperShare }: Modes, whose: string): string =>
  `${whose} gather around two places, ${Math.round(upperShare * 100)} % of them ${percentText(fractionOf(distance))} above the others: look at the samples.`

/** Both sides together, as the host does it to both; else one side, as a change does it to one. */
const severalModes: Rule = ({ pairs, values, labels }) => {
  const logs = logPairs(pairs)
  const together = logs === null ? null : modesOf(logs)
  if (together !== null) return { code: 'several-modes', message: modesText(together, 'Values') }
  for (const side of ['candidate', 'baseline'] as const) {
    const modes = modesOfSide(values[side])
    if (modes === null) continue
    return { code: 'several-modes', message: modesText(modes, `Values of ${labels[side]}`) }
  }
  return null
}

const meanDiffers: Rule = ({ meanShift, verdict, numbers }) => {
  if (meanShift === null) return null
  if (isFlagged(verdict) && meanShift.estimate * (numbers.effect ?? 0) > 0) return null
  const message = `${capital(meanText(meanShift))}, which the effect does not show: a part of the samples tells another story.`
  return { code: 'mean-differs', message }
}

/** Times of which many are equal: a clock's tick, or rounded numbers. Counts are whole anyway. */
const coarseValues: Rule = ({ values, unit }) => {
  if (!isTime(unit)) return null
  const all = [...values.baseline, ...values.candidate]
  const distinct = new Set(all).size
  if (all.length < fewestForTicks || distinct === 1 || distinct > all.length / 2) return null
  const message = `Only ${distinct} distinct values among ${all.length} samples: clock or printing are too coarse, and no interval can be finer than their step.`
  return { code: 'coarse-values', message }
}

const rules: readonly Rule[] = [
  medianDisagrees,
  tooFewRounds,
  missingPairs,
  lostSamples,
  leftProcesses,
  withoutRatio,
  drift,
  severalModes,
  meanDiffers,
  coarseValues,
  suspectFlag,
]

/** The warnings of a measured comparison, in a fixed order. */
export const warningsOf = (basis: WarningBasis): Warning[] =>
  rules.flatMap((rule) => {
    const warning = rule(basis)
    return warning === null ? [] : [warning]
  })
