/**
 * What charts are drawn with. Outside there is no view box, so that text keeps its size; inside, a
 * stretched one of 1000 by `chartHeight`, whose strokes do not stretch. No style attributes.
 */
import { niceStep, niceTicks } from './axis.ts'
import { html, type Markup } from './markup.ts'

/** Height of the charts of an opened row, in pixels. */
export const chartHeight = 190

/** Room above the highest and below the lowest value, in pixels: for failures and round numbers. */
const room = { top: 22, bottom: 24 } as const

/** A number for SVG: two decimals are a hundredth of a pixel. */
export const px = (value: number): string => String(Math.round(value * 100) / 100)

/** A share as SVG's percentage. */
export const percent = (share: number): string => `${px(share * 100)}%`

/** A vertical scale. */
export interface Scale {
  readonly low: number
  readonly high: number
  y(value: number): number
}

/** A scale that shows all `values`, with some air. */
export const scaleOf = (values: readonly number[]): Scale => {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (!(low <= high)) return scaleOf([0, 1])
  const air = high > low ? (high - low) * 0.04 : Math.abs(high) * 0.01 || 1
  const [from, to] = [low - air, high + air]
  const height = chartHeight - room.top - room.bottom
  return { low: from, high: to, y: (value) => room.top + ((to - value) / (to - from)) * height }
}

/** Dots as one path: a stroke of no length with round ends. */
export const dotsPath = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y]) => `M${Math.round(x)} ${px(y)}h0`).join('')

/** Where dots may begin at the earliest, and what a character of a text takes: of 1000. */
const leastStart = 90
const characterWidth = 15

/** Lines across at nice values with their texts, and where the plot right of the texts begins. */
export interface Grid {
  readonly markup: Markup
  /** Of 1000. */
  readonly start: number
}

/** The grid of a scale; values close to each other need longer texts, and these more room. */
export const gridOf = (scale: Scale, textOf: (value: number, digits: number) => string): Grid => {
  const step = niceStep(scale.high - scale.low, 4)
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))
  const fractional = Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-9 ? 1 : 0
  const lines = niceTicks(scale.low, scale.high, 4).map((value) => ({
    y: scale.y(value),
    text: textOf(value, Math.min(9, digits + fractional)),
  }))
  const longest = Math.max(0, ...lines.map(({ text }) => text.length))
  return {
    markup: html`${lines.map(({ y, text }) => html`<line class="grid" x1="0" x2="100%" y1="${px(y)}" y2="${px(y)}"/><text x="0" y="${px(y - 3)}">${text}</text>`)}`,
    start: Math.min(300, Math.max(leastStart, 10 + characterWidth * longest)),
  }
}

/** The rounds of a chart, and where its plot begins, of 1000. */
export interface RoundSpan {
  readonly first: number
  readonly last: number
  readonly start: number
}

/** Where a round stands, of 1000. */
export const roundPlace = ({ first, last, start }: RoundSpan) => {
  const span = Math.max(1, last - first)
  return (round: number): number => start + 20 + ((round - first) / span) * (960 - start)
}

/** Numbers of some rounds below a chart. */
export const roundTexts = (rounds: RoundSpan): Markup => {
  const place = roundPlace(rounds)
  const step = Math.max(1, niceStep(Math.max(1, rounds.last - rounds.first), 6))
  const inner = niceTicks(rounds.first, rounds.last, 6).filter(
    (round) => Number.isInteger(round) && round - rounds.first >= step * 0.6,
  )
  const shown = [rounds.first, ...inner]
  return html`${shown.map((round) => html`<text class="m" x="${px(place(round) / 10)}%" y="${chartHeight - 5}">${round}</text>`)}`
}

/** A chart: what is behind the stretched part, the stretched part, and what is in front. */
export const chart = (parts: {
  readonly label: string
  readonly behind: Markup
  readonly stretched: Markup
  readonly front: Markup
}): Markup =>
  html`<svg class="chart" height="${chartHeight}" role="img" aria-label="${parts.label}">${parts.behind}<svg viewBox="0 0 1000 ${chartHeight}" width="100%" height="${chartHeight}" preserveAspectRatio="none" class="in">${parts.stretched}</svg>${parts.front}</svg>`
