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

/** Lines across at nice values, with their text. */
export const gridOf = (scale: Scale, textOf: (value: number, digits: number) => string): Markup => {
  const step = niceStep(scale.high - scale.low, 4)
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))
  const fractional = Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-9 ? 1 : 0
  return html`${niceTicks(scale.low, scale.high, 4).map((value) => {
    const y = px(scale.y(value))
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text x="0" y="${px(scale.y(value) - 3)}">${textOf(value, Math.min(9, digits + fractional))}</text>`
  })}`
}

/** Where a round stands, 90 to 985 of 1000. */
export const roundPlace = (rounds: { readonly first: number; readonly last: number }) => {
  const span = Math.max(1, rounds.last - rounds.first)
  return (round: number): number => 110 + ((round - rounds.first) / span) * 870
}

/** Numbers of some rounds below a chart. */
export const roundTexts = (rounds: { readonly first: number; readonly last: number }): Markup => {
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
