/**
 * What keeps a row from being called unchanged or changed though its test says so: a side that lost
 * samples the other did not lose, for those may have been its worst; and means that contradict the
 * middle. Both act alike on both sides, so that swapping them mirrors the verdict.
 */
import type { Outcome, Verdict } from '@assay/model'
import type { SampleShare } from './drafts.ts'
import type { MeanShift } from './mean-shift.ts'
import { fractionOf } from './rounding.ts'
import { percentText, signedPercent } from './sentences.ts'

/** What a doubt is made of. */
export interface DoubtBasis {
  readonly verdict: Verdict
  /** As ln ratio. */
  readonly effect: number
  readonly labels: { readonly baseline: string; readonly candidate: string }
  /** The baseline's, then the candidate's; empty if nothing is known of lost samples. */
  readonly shares: readonly SampleShare[]
  readonly meanShift: MeanShift | null
}

const lossWords: Readonly<Record<Outcome, string>> = {
  good: 'without the metric',
  failed: 'failed',
  'timed-out': 'timed out',
  killed: 'killed',
}

const outcomes: readonly Outcome[] = ['failed', 'timed-out', 'killed', 'good']

/** `2 timed out` of a side that lost samples; null of one that lost none. */
export const lossText = ({ lost }: SampleShare): string | null => {
  const parts = outcomes.flatMap((outcome) =>
    lost[outcome] === 0 ? [] : [`${lost[outcome]} ${lossWords[outcome]}`],
  )
  return parts.length === 0 ? null : parts.join(', ')
}

/** `new: 2 of 30 timed out; old: none`. */
export const lossesText = (shares: readonly SampleShare[]): string =>
  shares
    .map((share) => {
      const text = lossText(share)
      return text === null ? `${share.label}: none` : `${share.label}: ${text} of ${share.all}`
    })
    .join('; ')

const lostOf = (share: SampleShare | undefined): number =>
  share === undefined ? 0 : share.all - share.good

/** Whether this verdict speaks for the side that lost more samples. */
const lossDoubt: (basis: DoubtBasis) => string | null = ({ verdict, shares }) => {
  const more = Math.sign(lostOf(shares[1]) - lostOf(shares[0]))
  const favoured = new Map<Verdict, number>([
    ['improvement', 1],
    ['regression', -1],
    ['unchanged', more],
  ])
  return more !== 0 && favoured.get(verdict) === more
    ? `samples were lost on one side, which may have been its worst (${lossesText(shares)})`
    : null
}

/** The means in words: `the mean is 20.3 % higher (95 % interval +5.00 % to +38.0 %)`. */
export const meanText = ({ estimate, interval }: MeanShift): string =>
  `the mean is ${percentText(Math.abs(fractionOf(estimate)))} ${estimate > 0 ? 'higher' : 'lower'} (95 % interval ${signedPercent(interval.low)} to ${signedPercent(interval.high)})`

const meanDoubt: (basis: DoubtBasis) => string | null = ({ verdict, effect, meanShift }) => {
  if (meanShift === null) return null
  const contradicts = verdict === 'unchanged' || meanShift.estimate * effect < 0
  return contradicts ? `${meanText(meanShift)}: a part of the samples tells another story` : null
}

/** Why this verdict cannot be given; null if it can. */
export const doubtOf = (basis: DoubtBasis): string | null =>
  basis.verdict === 'inconclusive' ? null : (lossDoubt(basis) ?? meanDoubt(basis))
