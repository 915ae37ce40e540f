/** How many rows ended how: `▲ 2 regressions  = 8 unchanged`. */
import type { Verdict } from '@assay/model'
import { worstFirst } from '../places.ts'
import { verdictSigns } from '../verdict-signs.ts'
import { figure } from './figures.ts'
import { html, type Markup } from './markup.ts'

/** The verdicts that occur with their number, worst first. */
export const tallied = (verdicts: readonly Verdict[]): readonly (readonly [Verdict, number])[] =>
  worstFirst.flatMap((verdict) => {
    const count = verdicts.filter((one) => one === verdict).length
    return count === 0 ? [] : [[verdict, count] as const]
  })

/** The word of a verdict for so many rows. */
export const countedWord = (verdict: Verdict, count: number): string =>
  count === 1 ? verdictSigns[verdict].word : verdictSigns[verdict].plural

/** The tally in one line. */
export const verdictTally = (verdicts: readonly Verdict[]): Markup =>
  html`${tallied(verdicts).map(([verdict, count]) => html`<span class="${verdictSigns[verdict].tone}">${verdictSigns[verdict].sign} ${figure(count, String(count))} ${countedWord(verdict, count)}</span> `)}`
