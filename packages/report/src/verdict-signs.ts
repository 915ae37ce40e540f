/** How a verdict looks: always a sign and a word, so that colour alone never carries it. */
import type { Verdict } from '@assay/model'
import { fractionOf } from '@assay/stats'

/** The look of a verdict. */
export interface VerdictSign {
  readonly sign: string
  readonly word: string
  readonly plural: string
  /** Names a colour in the style sheet of pages. */
  readonly tone: 'reg' | 'imp' | 'same' | 'inc' | 'fail' | 'none'
}

const of = (tone: VerdictSign['tone'], sign: string, word: string, plural = word): VerdictSign => ({
  tone,
  sign,
  word,
  plural,
})

/** The look of every verdict. */
export const verdictSigns: Readonly<Record<Verdict, VerdictSign>> = {
  regression: of('reg', '▲', 'regression', 'regressions'),
  improvement: of('imp', '▼', 'improvement', 'improvements'),
  unchanged: of('same', '=', 'unchanged'),
  inconclusive: of('inc', '?', 'inconclusive'),
  failed: of('fail', '✕', 'failed'),
  unsupported: of('same', '⊘', 'unsupported'),
  'not-comparable': of('none', '≠', 'not comparable'),
  'no-baseline': of('none', '∅', 'no baseline'),
  indicative: of('inc', '~', 'indicative'),
}

const magnitudeText = (percent: number): string => {
  const magnitude = Math.abs(percent)
  if (magnitude >= 1e6) return magnitude.toExponential(1)
  return magnitude.toFixed(magnitude < 9.95 ? 2 : 1)
}

/** ln ratio as a signed percentage: `+10.4%`, `-0.42%`. */
export const percentText = (logRatio: number): string => {
  const percent = fractionOf(logRatio) * 100
  return `${percent < 0 ? '-' : '+'}${magnitudeText(percent)}%`
}
