/** The charts of an opened row: samples in run order, distributions, and differences of the pairs. */
import { metricValue, type Report, type StoredSample } from '@assay/model'
import { fractionOf } from '@assay/stats'
import { smallTimeUnit } from '../small-times.ts'
import { verdictSigns } from '../verdict-signs.ts'
import {
  chart,
  chartHeight,
  dotsPath,
  gridOf,
  px,
  roundPlace,
  roundTexts,
  type Scale,
  scaleOf,
} from './draw.ts'
import { type Content, html, type Markup } from './markup.ts'
import { medianOf } from './median.ts'
import type { PageRow } from './page-rows.ts'
import { type Dot, mostDots, thinned } from './thin.ts'

/** One side's samples, as a chart needs them. */
export interface Side {
  readonly label: string
  readonly good: readonly Dot[]
  /** Of the good values; null if there are none. */
  readonly median: number | null
  /** Rounds whose sample was measured and is not good. */
  readonly bad: readonly number[]
}

const sideOf = (label: string, samples: readonly StoredSample[], metric: string): Side => {
  const good: Dot[] = []
  const bad: number[] = []
  for (const sample of samples) {
    const value = metricValue(sample, metric)
    if (sample.outcome === 'good' && value !== null) good.push({ round: sample.round, value })
    else bad.push(sample.round)
  }
  return { label, good, bad, median: medianOf(good.map(({ value }) => value)) }
}

/** Both sides of a row; null if no sample of either was handed in. */
export const sidesOf = (
  { baseline, row, samples }: PageRow,
  { metric }: Report,
): { readonly baseline: Side; readonly candidate: Side } | null =>
  samples.baseline.length + samples.candidate.length === 0
    ? null
    : {
        baseline: sideOf(baseline?.label ?? 'baseline', samples.baseline, metric.name),
        candidate: sideOf(row.label, samples.candidate, metric.name),
      }

interface Sides {
  readonly baseline: Side
  readonly candidate: Side
}

const valuesOf = ({ good }: Side): number[] => good.map(({ value }) => value)

const roundsOf = ({ baseline, candidate }: Sides): { first: number; last: number } => {
  let first = Number.POSITIVE_INFINITY
  let last = 1
  const include = (round: number): void => {
    first = Math.min(first, round)
    last = Math.max(last, round)
  }
  for (const { good, bad } of [baseline, candidate]) {
    for (const { round } of good) include(round)
    for (const round of bad) include(round)
  }
  return { first: Math.min(first, last), last }
}

const scaledText = (unit: string, scale: Scale) => {
  const small = smallTimeUnit([scale.low, scale.high], unit)
  return (value: number, digits: number): string => {
    if (small !== null) return `${Number((value * small.perSecond).toPrecision(4))} ${small.name}`
    return Math.abs(value) >= 1e6 ? value.toExponential(2) : value.toFixed(digits)
  }
}

const medianLine = (
  { median }: Side,
  scale: Scale,
  line: { readonly tone: 'a' | 'c'; readonly from: number; readonly to: number },
): Markup | null =>
  median === null
    ? null
    : html`<path class="med ${line.tone}" d="M${line.from} ${px(scale.y(median))}H${line.to}"/>`

/** Every sample of both sides by round; those that are not good as crosses above. */
export const runOrder = (sides: Sides, unit: string): Markup => {
  const scale = scaleOf([...valuesOf(sides.baseline), ...valuesOf(sides.candidate)])
  const grid = gridOf(scale, scaledText(unit, scale))
  const { start } = grid
  const rounds = { ...roundsOf(sides), start }
  const place = roundPlace(rounds)
  const dots = ({ good }: Side): string =>
    dotsPath(thinned(good).map(({ round, value }) => [place(round), scale.y(value)]))
  const crosses = [sides.baseline, sides.candidate].flatMap(({ bad }, at) =>
    bad
      .slice(0, mostDots)
      .map(
        (round) =>
          html`<text class="bad m" x="${px(place(round) / 10)}%" y="${11 + at * 9}">✕</text>`,
      ),
  )
  const [a, c] = [dots(sides.baseline), dots(sides.candidate)]
  return chart({
    label: `samples in run order: ${sides.baseline.label} hollow, ${sides.candidate.label} filled`,
    behind: html`${grid.markup}${roundTexts(rounds)}`,
    stretched: html`${medianLine(sides.baseline, scale, { tone: 'a', from: start, to: 1000 })}${medianLine(sides.candidate, scale, { tone: 'c', from: start, to: 1000 })}<path class="da" d="${a}"/><path class="da2" d="${a}"/><path class="dc" d="${c}"/>`,
    front: html`${crosses}`,
  })
}

const points = 28

/** Letters of a label for which half of the distributions' chart has room. */
const mostLetters = 12

/** Below this, five kernel widths away, a sample adds less than a hundredth of a pixel. */
const leastKernel = Math.exp(-0.5 * 5 ** 2)

interface KernelGrid {
  readonly low: number
  readonly step: number
  readonly width: number
}

/**
 * At each point of the grid, the kernels of all values. From the point next to a value a kernel falls
 * by a ratio that itself falls evenly, so that neither way needs further exponentials.
 */
const kernelSums = (values: readonly number[], { low, step, width }: KernelGrid): Float64Array => {
  const sums = new Float64Array(points + 1)
  const stride = step / width
  const fall = Math.exp(-stride * stride)
  for (const value of values) {
    const nearest = Math.max(0, Math.min(points, Math.round((value - low) / step)))
    const distance = (low + nearest * step - value) / width
    const peak = Math.exp(-0.5 * distance * distance)
    sums[nearest] = (sums[nearest] ?? 0) + peak
    for (const way of [1, -1] as const) {
      let ratio = Math.exp(-stride * (way * distance + stride / 2))
      let kernel = peak * ratio
      for (let at = nearest + way; at >= 0 && at <= points && kernel >= leastKernel; at += way) {
        sums[at] = (sums[at] ?? 0) + kernel
        ratio *= fall
        kernel *= ratio
      }
    }
  }
  return sums
}

/** A smooth density by Gaussian kernels (Silverman 1986), at `points` values over the scale. */
const density = ({ good, median }: Side, scale: Scale): readonly (readonly [number, number])[] => {
  const values = good.map(({ value }) => value)
  const deviations = values.map((value) => Math.abs(value - (median ?? 0)))
  const spread = (medianOf(deviations) ?? 0) * 1.4826
  const least = (scale.high - scale.low) / 50
  const width = Math.max(0.9 * spread * values.length ** -0.2, least)
  const step = (scale.high - scale.low) / points
  const heights = kernelSums(values, { low: scale.low, step, width })
  return Array.from(heights, (total, at) => {
    const y = scale.low + step * at
    return [y, total / Math.max(1, values.length) / width] as const
  })
}

/** The distributions of the two sides, back to back. */
export const distributions = (sides: Sides): Markup => {
  const scale = scaleOf([...valuesOf(sides.baseline), ...valuesOf(sides.candidate)])
  const densityA = density(sides.baseline, scale)
  const densityC = density(sides.candidate, scale)
  const most = Math.max(...[...densityA, ...densityC].map(([, height]) => height)) || 1
  const outline = (shape: readonly (readonly [number, number])[], way: number): string =>
    `M500 ${px(scale.y(scale.low))}${shape
      .map(([y, height]) => `L${px(500 + (way * height * 430) / most)} ${px(scale.y(y))}`)
      .join('')}L500 ${px(scale.y(scale.high))}Z`
  const name = (side: Side): string => (side.label.length > mostLetters ? '' : side.label)
  return chart({
    label: `distributions: ${sides.baseline.label} left, ${sides.candidate.label} right`,
    behind: html``,
    stretched: html`<path class="ka" d="${outline(densityA, -1)}"/><path class="kc" d="${outline(densityC, 1)}"/>${medianLine(sides.baseline, scale, { tone: 'a', from: 60, to: 500 })}${medianLine(sides.candidate, scale, { tone: 'c', from: 500, to: 940 })}`,
    front: html`<text class="e" x="50%" dx="-6" y="${chartHeight - 5}">${name(sides.baseline)}</text><text x="50%" dx="6" y="${chartHeight - 5}">${name(sides.candidate)}</text>`,
  })
}

/** Beyond this a ratio has no place on any scale. */
const largestRatio = Math.exp(700)

/** In percent, of rounds that are good on both sides; both come in the order of rounds. */
const pairDots = ({ baseline, candidate }: Sides): Dot[] => {
  const dots: Dot[] = []
  let at = 0
  for (const { round, value } of candidate.good) {
    while ((baseline.good[at]?.round ?? round) < round) at += 1
    const counterpart = baseline.good[at]
    if (counterpart?.round !== round || counterpart.value <= 0 || value <= 0) continue
    const ratio = Math.min(value / counterpart.value, largestRatio)
    dots.push({ round, value: (ratio - 1) * 100 })
  }
  return dots
}

const percentTick = (value: number, digits: number): string =>
  Math.abs(value) < 1e-9 ? '0' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`

/** The difference of each pair in percent, with the effect, its 95 % interval and the tolerance. */
export const pairDifferences = (sides: Sides, entry: PageRow, tolerance: number): Markup => {
  const { effect, interval95, verdict } = entry.comparison
  const dots = thinned(pairDots(sides))
  const asPercent = (logRatio: number): number => fractionOf(logRatio) * 100
  const band = { low: asPercent(-Math.log1p(tolerance)), high: tolerance * 100 }
  const scale = scaleOf([...dots.map(({ value }) => value), band.low * 1.15, band.high * 1.15])
  const grid = gridOf(scale, percentTick)
  const { start } = grid
  const rounds = { ...roundsOf(sides), start }
  const place = roundPlace(rounds)
  const y = (value: number): string => px(scale.y(value))
  const shade =
    interval95 === null
      ? null
      : html`<path class="ci" d="M${start} ${y(asPercent(interval95.high))}H1000V${y(asPercent(interval95.low))}H${start}Z"/>`
  const line =
    effect === null ? null : html`<path class="med e" d="M${start} ${y(asPercent(effect))}H1000"/>`
  const stems = dots.map((dot) => `M${Math.round(place(dot.round))} ${y(0)}V${y(dot.value)}`)
  const marks = dotsPath(dots.map(({ round, value }) => [place(round), scale.y(value)]))
  return chart({
    label: 'difference of each pair in percent, in run order',
    behind: html`<rect class="band" x="${start / 10}%" width="${100 - start / 10}%" y="${y(band.high)}" height="${px(scale.y(band.low) - scale.y(band.high))}"/>${grid.markup}<line class="zero" x1="0" x2="100%" y1="${y(0)}" y2="${y(0)}"/>${roundTexts(rounds)}`,
    stretched: html`<g class="${verdictSigns[verdict].tone}">${shade}${line}</g><path class="stem" d="${stems.join('')}"/><path class="dd" d="${marks}"/>`,
    front: html``,
  })
}

/** What the charts leave out, in words; null if they show every sample. */
export const thinnedText = (sides: Sides): Content => {
  const all = sides.baseline.good.length + sides.candidate.good.length
  const few = Math.max(sides.baseline.good.length, sides.candidate.good.length) <= mostDots
  const drawn = few
    ? all
    : thinned(sides.baseline.good).length + thinned(sides.candidate.good).length
  const bad = [sides.baseline, sides.candidate].reduce(
    (total, side) => total + Math.max(0, side.bad.length - mostDots),
    0,
  )
  if (all === drawn && bad === 0) return null
  const crosses = bad === 0 ? '' : ` ${bad} further failed samples are not drawn.`
  return html`<p class="mute">${drawn} of ${all} samples are drawn: of every few rounds in a row the lowest and the highest. The distributions are of all.${crosses}</p>`
}
