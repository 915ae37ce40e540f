/** Things to know about a row or a run: they travel with it and never change a verdict. */
import type { Verdict, Warning } from '@assay/model'
import type { ComparedNumbers } from './compare-paired.ts'
import { minimumRounds } from './min-rounds.ts'
import { fractionOf, logRounding } from './rounding.ts'
import { counted, percentText } from './sentences.ts'

/** What a row's warnings depend on. */
export interface WarningBasis {
  readonly numbers: ComparedNumbers
  readonly verdict: Verdict
  /** Comparisons in the family. */
  readonly family: number
  /** A self-check of this run was flagged, so flags are suspect. */
  readonly suspect: boolean
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

const tooFewRounds: Rule = ({ numbers, family }) => {
  const needed = minimumRounds(family)
  if (numbers.pairs === 0 || numbers.pairs >= needed) return null
  const message = `${counted(numbers.pairs, 'pair')}, but ${counted(family, 'comparison')} need at least ${needed} for one of them to be flagged.`
  return { code: 'too-few-rounds', message }
}

const missingPairs: Rule = ({ numbers }) =>
  numbers.pairs < numbers.rounds
    ? {
        code: 'missing-pairs',
        message: `${numbers.pairs}/${numbers.rounds} rounds have a good sample on both sides.`,
      }
    : null

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

const rules: readonly Rule[] = [
  medianDisagrees,
  tooFewRounds,
  missingPairs,
  withoutRatio,
  suspectFlag,
]

/** The warnings of a measured comparison, in a fixed order. */
export const warningsOf = (basis: WarningBasis): Warning[] =>
  rules.flatMap((rule) => {
    const warning = rule(basis)
    return warning === null ? [] : [warning]
  })
