/** Things to know about a row or a run: they travel with it and never change a verdict. */
import type { SamplePairing, Verdict, Warning } from '@assay/model'
import type { ComparedNumbers } from './compared-numbers.ts'
import type { SampleShare } from './drafts.ts'
import { minimumRounds } from './min-rounds.ts'
import { logPairs, type Pair } from './pairs.ts'
import { fractionOf, logRounding } from './rounding.ts'
import { counted, percentText, signedPercent } from './sentences.ts'
import { modesOf } from './several-modes.ts'
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
}

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

const tooFewRounds: Rule = ({ numbers, family, pairing }) => {
  const needed = minimumRounds(family, pairing)
  if (numbers.pairs === 0 || numbers.pairs >= needed) return null
  const noun = pairing === 'paired' ? 'pair' : 'sample'
  const flagged =
    family === 1
      ? `it takes at least ${needed} for a change to be flagged`
      : `with ${family} comparisons it takes at least ${needed} for one of them to be flagged`
  const message = `${counted(numbers.pairs, noun)}, but ${flagged}.`
  return { code: 'too-few-rounds', message }
}

const missingPairs: Rule = ({ numbers }) =>
  numbers.pairs < numbers.rounds
    ? {
        code: 'missing-pairs',
        message: `${numbers.pairs}/${numbers.rounds} rounds have a good sample on both sides.`,
      }
    : null

/** Of paired rows the missing pairs tell it already. */
const lostSamples: Rule = ({ pairing, shares }) => {
  const lossy = shares.filter(({ good, all }) => good < all)
  if (pairing === 'paired' || lossy.length === 0) return null
  const parts = lossy.map(({ label, good, all }) => `${good}/${all} of ${label}`)
  const message = `Only good samples are judged: ${parts.join(', ')}.`
  return { code: 'missing-samples', message }
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

const severalModes: Rule = ({ pairs }) => {
  const logs = logPairs(pairs)
  const modes = logs === null ? null : modesOf(logs)
  if (modes === null) return null
  const share = Math.round(modes.upperShare * 100)
  const message = `Values gather around two places, ${share} % of them ${percentText(fractionOf(modes.distance))} above the others: look at the samples.`
  return { code: 'several-modes', message }
}

const rules: readonly Rule[] = [
  medianDisagrees,
  tooFewRounds,
  missingPairs,
  lostSamples,
  withoutRatio,
  drift,
  severalModes,
  suspectFlag,
]

/** The warnings of a measured comparison, in a fixed order. */
export const warningsOf = (basis: WarningBasis): Warning[] =>
  rules.flatMap((rule) => {
    const warning = rule(basis)
    return warning === null ? [] : [warning]
  })
