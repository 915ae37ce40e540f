/** Figures: what a person reads, with the exact value beside it in `<data value>`. */
import type { Comparison, Interval } from '@assay/model'
import { fractionOf } from '@assay/stats'
import { signedFixed } from '../printf.ts'
import {
  isSeconds,
  type SmallTimeUnit,
  smallDifferenceText,
  smallTimeText,
  smallTimeUnit,
} from '../small-times.ts'
import { html, type Markup } from './markup.ts'

/** A figure with its exact value. */
export const figure = (value: number, text: string): Markup =>
  html`<data value="${value}">${text}</data>`

/** A figure, or a dash where it is not known. */
export const figureOr = (value: number | null, text: (value: number) => string): Markup =>
  value === null ? html`<span class="faint">–</span>` : figure(value, text(value))

const minus = (text: string): string => text.replace('-', '−')

const signed = (value: number, text: string): string => `${value < 0 ? '−' : '+'}${text}`

/** A plain number: grouped when it is large, of four digits when it is not. */
const plain = (value: number): string => {
  const magnitude = Math.abs(value)
  if (magnitude >= 1e15 || (magnitude > 0 && magnitude < 1e-3)) return value.toExponential(3)
  if (magnitude < 1000) return Number.isInteger(value) ? String(value) : value.toPrecision(4)
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, '\u{202F}')
}

/** A value of the metric: seconds with six decimals, as the text format has them, or a unit that fits. */
export const valueText = (
  value: number,
  unit: string,
  small: SmallTimeUnit | null = smallTimeUnit([value], unit),
): string => {
  if (!isSeconds(unit)) return minus(plain(value))
  return minus(small === null ? value.toFixed(6) : smallTimeText(value, small))
}

/** A difference of two values of the metric, with its sign; in their unit where they are short. */
export const differenceText = (
  value: number,
  unit: string,
  small: SmallTimeUnit | null = null,
): string => {
  const magnitude = Math.abs(value)
  if (!isSeconds(unit)) return signed(value, plain(magnitude))
  if (small !== null) return minus(smallDifferenceText(value, small))
  if (magnitude >= 0.01 || magnitude === 0) return signed(value, magnitude.toFixed(3))
  if (magnitude >= 1e-5) return signed(value, `${(magnitude * 1e3).toPrecision(3)} ms`)
  return signed(value, `${(magnitude * 1e6).toPrecision(3)} µs`)
}

/** A fraction as a percentage with its sign, without the percent sign. */
export const percentText = (fraction: number): string => {
  const percent = Math.abs(fraction * 100)
  if (percent >= 1e5) return signed(fraction, percent.toExponential(1))
  return signed(fraction, percent.toFixed(percent < 0.995 ? 2 : percent < 99.5 ? 1 : 0))
}

/** The change of two medians, with two decimals as in the text format. */
export const changeText = (change: number): string =>
  `${signedFixed(change * 100, 2).replace('-', '−')}%`

/** A fraction as a percentage without a sign: a threshold. */
export const shareText = (fraction: number): string =>
  `${Number((fraction * 100).toPrecision(3))} %`

/** An effect (ln ratio) as a signed percentage. */
export const effectText = (logRatio: number): string => percentText(fractionOf(logRatio))

/** `[+1.3, +3.4]` of an interval of ln ratios. */
export const intervalText = ({ low, high }: Interval): string =>
  `[${effectText(low)}, ${effectText(high)}]`

/** The effect of a row with its 95 % interval, in percent. */
export const effectFigure = ({ effect, interval95 }: Comparison): Markup =>
  effect === null
    ? html`<span class="faint">–</span>`
    : html`${figure(fractionOf(effect), effectText(effect))}${
        interval95 === null
          ? null
          : html`<span class="iv">[${figure(fractionOf(interval95.low), effectText(interval95.low))}, ${figure(fractionOf(interval95.high), effectText(interval95.high))}]</span>`
      }`

/** A probability. */
export const probabilityText = (value: number): string =>
  value < 0.0001 ? '< 0.0001' : value.toFixed(4)
