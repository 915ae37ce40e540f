/**
 * The axis of effects that all rows share, in ln ratios. It spans the bulk of the report: a few
 * huge effects must not press all others into a line, so what lies outside is drawn at the edge.
 */
import { fractionOf } from '@assay/stats'
import type { PageRow } from './page-rows.ts'

/** A mark on the axis. */
export interface Tick {
  readonly value: number
  readonly text: string
}

export interface Axis {
  readonly low: number
  readonly high: number
  readonly ticks: readonly Tick[]
}

/** Share of the ends of intervals that the axis must span. */
const spanned = 0.94

/** Beyond this ratio percentages say little, and ticks are multiples. */
const manifold = Math.log(2.2)

/** Steps that people count in: 1, 2, 2.5, 5 and 10 times a power of ten. */
export const niceStep = (span: number, wanted: number): number => {
  const raw = span / wanted
  const power = 10 ** Math.floor(Math.log10(raw))
  return ([1, 2, 2.5, 5].find((step) => step * power >= raw * (1 - 1e-9)) ?? 10) * power
}

/** Multiples of a nice step from `low` to `high`. */
export const niceTicks = (low: number, high: number, wanted: number): readonly number[] => {
  const step = niceStep(high - low, wanted)
  if (!(step > 0) || !Number.isFinite(step)) return [low]
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1)
  return Array.from({ length: count }, (_, at) => (first + at) * step)
}

const percentTick = (percent: number): Tick => {
  const text = String(Number(Math.abs(percent).toPrecision(6)))
  const sign = percent === 0 ? '' : percent < 0 ? '−' : '+'
  return { value: Math.log1p(percent / 100), text: `${sign}${text}` }
}

const foldTick = (value: number): Tick => {
  const times = Number(Math.exp(Math.abs(value)).toPrecision(3))
  return { value, text: value === 0 ? '0' : `${value > 0 ? '×' : '÷'}${times}` }
}

const foldTicks = (low: number, high: number): Tick[] => {
  const span = Math.max(high, -low)
  const step = Math.log(2) * Math.max(1, Math.ceil(span / Math.log(2) / 3))
  const ticks: Tick[] = []
  for (let at = Math.ceil(low / step); at * step <= high; at += 1)
    ticks.push(foldTick(at * step + 0))
  return ticks
}

const ticksOf = (low: number, high: number): readonly Tick[] => {
  if (high > manifold || low < -manifold) return foldTicks(low, high)
  return niceTicks(fractionOf(low) * 100, fractionOf(high) * 100, 6).map(percentTick)
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.round((sorted.length - 1) * share)] ?? 0

/** The axis for these rows; `tolerance` is always well inside. */
export const axisOf = (rows: readonly PageRow[], tolerance: number): Axis => {
  const ends = rows
    .flatMap(({ comparison: { effect, interval95 } }) => [
      ...(effect === null ? [] : [effect]),
      ...(interval95 === null ? [] : [interval95.low, interval95.high]),
    ])
    .sort((left, right) => left - right)
  const band = Math.log1p(tolerance) * 1.7
  const low = Math.min(-band, quantile(ends, 1 - spanned) * 1.12)
  const high = Math.max(band, quantile(ends, spanned) * 1.12)
  return { low, high, ticks: ticksOf(low, high) }
}

/** Where a value lies between the ends, 0 to 1; outside it stays at the end. */
export const shareOf = ({ low, high }: Axis, value: number): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)))

/** Room that the axis has at least, that a character takes, and that is kept free between texts. */
const narrowest = { axis: 140, character: 6.2, gap: 5 } as const

/** The ticks whose texts fit beside each other: zero first, then outwards, clear of the right end. */
export const namedTicks = (axis: Axis): readonly Tick[] => {
  const spanOf = ({ value, text }: Tick): readonly [number, number] => {
    const middle = shareOf(axis, value) * narrowest.axis
    const half = (text.length * narrowest.character + narrowest.gap) / 2
    return [middle - half, middle + half]
  }
  // The unit stands at the right end.
  const end = narrowest.axis - narrowest.character
  const taken: (readonly [number, number])[] = []
  const fits = (tick: Tick): boolean => {
    const [from, to] = spanOf(tick)
    if (to > end || taken.some(([start, stop]) => from < stop && start < to)) return false
    taken.push([from, to])
    return true
  }
  return [...axis.ticks]
    .sort((left, right) => Math.abs(left.value) - Math.abs(right.value))
    .filter(fits)
}
