/** Effects with their intervals: in each row, all of them in one picture, and the self-checks. */
import type { Report } from '@assay/model'
import { fractionOf } from '@assay/stats'
import type { PlacedRow } from '../places.ts'
import { verdictSigns } from '../verdict-signs.ts'
import { type Axis, namedTicks, niceTicks, shareOf } from './axis.ts'
import { percent, px } from './draw.ts'
import { effectText, intervalText } from './figures.ts'
import { html, type Markup } from './markup.ts'
import type { PageRow } from './page-rows.ts'

/** Band and grid, drawn once a page and used by every row. */
export const sharedGrid = (axis: Axis, tolerance: number): Markup => {
  const at = (value: number): string => percent(shareOf(axis, value))
  const edge = Math.log1p(tolerance)
  const width = percent(shareOf(axis, edge) - shareOf(axis, -edge))
  const lines = axis.ticks.map(
    ({ value }) =>
      html`<line class="${value === 0 ? 'zero' : 'grid'}" x1="${at(value)}" x2="${at(value)}" y2="100%"/>`,
  )
  return html`<svg width="0" height="0" class="vh" aria-hidden="true"><g id="g"><rect class="band" x="${at(-edge)}" width="${width}" height="100%"/>${lines}</g><circle id="ga" class="ga" cx="4.5" cy="4.5" r="3.4"/><circle id="gc" class="gc" cx="4.5" cy="4.5" r="3.8"/></svg>`
}

/** The words of the axis, above the rows. */
export const axisHead = (axis: Axis, directions: readonly [string, string]): Markup => {
  const zero = shareOf(axis, 0)
  const unit = axis.ticks.some(({ text }) => /[×÷]/.test(text)) ? '' : '%'
  const texts = namedTicks(axis).map(
    ({ value, text }) =>
      html`<text x="${percent(shareOf(axis, value))}" y="26" class="m">${text}</text>`,
  )
  return html`<svg class="ax" aria-hidden="true">${zero < 0.22 ? null : html`<text x="${percent(zero)}" dx="-10" y="11" class="e">${directions[0]} ←</text>`}${zero > 0.78 ? null : html`<text x="${percent(zero)}" dx="10" y="11">→ ${directions[1]}</text>`}${texts}<text x="100%" y="26" class="e">${unit}</text></svg>`
}

const mark = (axis: Axis, effect: number): Markup => {
  if (effect > axis.high) return html`<text class="edge e" x="100%" y="50%" dy="4">▶</text>`
  if (effect < axis.low) return html`<text class="edge" x="0" y="50%" dy="4">◀</text>`
  return html`<circle class="pt" cx="${percent(shareOf(axis, effect))}" cy="50%" r="3.6"/>`
}

/** The interval of one row on the shared axis: thin 95 %, thick 90 %. */
export const rowForest = ({ comparison, block }: PageRow, axis: Axis): Markup => {
  const { effect, interval95, interval90, verdict } = comparison
  if (effect === null) {
    const why = block.rows.length > 1 ? `no effect: ${verdictSigns[verdict].word}` : 'no effect'
    return html`<svg class="fp" aria-hidden="true"><use href="#g"/><text class="fn" x="${percent(shareOf(axis, 0))}" y="50%" dx="8" dy="3.5">${why}</text></svg>`
  }
  const line = (name: string, interval: typeof interval95): Markup | null =>
    interval === null
      ? null
      : html`<line class="${name}" x1="${percent(shareOf(axis, interval.low))}" x2="${percent(shareOf(axis, interval.high))}" y1="50%" y2="50%"/>`
  const label = `effect ${effectText(effect)} %${interval95 === null ? '' : `, 95 % interval ${intervalText(interval95)} %`}`
  return html`<svg class="fp ${verdictSigns[verdict].tone}" role="img" aria-label="${label}"><use href="#g"/>${line('i95', interval95)}${line('i90', interval90)}${mark(axis, effect)}</svg>`
}

const pictureHeight = 168

const pictureMark = (
  entry: PageRow,
  at: { readonly x: number; readonly width: number; readonly y: (value: number) => number },
  text: string,
): Markup => {
  const { effect, interval95, verdict } = entry.comparison
  const { tone, sign } = verdictSigns[verdict]
  const x = percent(at.x)
  const bar =
    interval95 === null
      ? null
      : html`<line class="i95" x1="${x}" x2="${x}" y1="${px(at.y(interval95.high))}" y2="${px(at.y(interval95.low))}"/>`
  const drawn =
    effect === null
      ? html`<text class="bad m" x="${x}" y="${px(at.y(0) + 4)}">${sign}</text>`
      : html`${bar}<circle class="pt" cx="${x}" cy="${px(at.y(effect))}" r="3.4"/>`
  return html`<a href="#${entry.id}" class="${tone}"><title>${text}</title><rect class="hit" x="${percent(at.x - at.width / 2)}" width="${percent(at.width)}" height="100%"/>${drawn}</a>`
}

/** Every comparison of the report as one picture, worst first; each mark leads to its row. */
export const wholePicture = (
  rows: readonly PageRow[],
  drawn: { readonly axis: Axis; readonly tolerance: number },
  nameOf: (row: PageRow) => string,
): Markup => {
  const { axis, tolerance } = drawn
  const width = 0.92 / Math.max(1, rows.length)
  const y = (value: number): number => 8 + (1 - shareOf(axis, value)) * (pictureHeight - 16)
  const lines = axis.ticks.map(
    ({ value, text }) =>
      html`<line class="${value === 0 ? 'zero' : 'grid'}" x1="0" x2="100%" y1="${px(y(value))}" y2="${px(y(value))}"/><text x="0" y="${px(y(value) - 3)}">${text}</text>`,
  )
  const [top, bottom] = [y(Math.log1p(tolerance)), y(-Math.log1p(tolerance))]
  const marks = rows.map((entry, at) =>
    pictureMark(entry, { x: 0.08 + (at + 0.5) * width, width, y }, nameOf(entry)),
  )
  return html`<svg class="chart over" height="${pictureHeight}" role="group" aria-label="All ${rows.length} comparisons, worst first"><rect class="band" x="0" width="100%" y="${px(top)}" height="${px(bottom - top)}"/>${lines}${marks}</svg>`
}

/** The self-checks against the threshold, with the noise floor as a band. */
export const selfCheckPicture = (checks: readonly PlacedRow[], report: Report): Markup => {
  const drawn = checks.filter(({ comparison }) => comparison.effect !== null).slice(0, 12)
  const bounds = drawn.flatMap(({ comparison: { interval95, effect } }) =>
    [interval95?.low ?? effect ?? 0, interval95?.high ?? effect ?? 0].map(Math.abs),
  )
  const threshold = Math.log1p(report.rules.threshold)
  const reach = Math.max(threshold * 1.25, ...bounds.map((bound) => bound * 1.05), 1e-4)
  const x = (value: number): string => percent((value + reach) / (2 * reach))
  const height = 20 + drawn.length * 7.5
  const ticks = niceTicks(-fractionOf(reach) * 100, fractionOf(reach) * 100, 4).map((tick) => {
    const text = `${tick < 0 ? '−' : tick > 0 ? '+' : ''}${Number(Math.abs(tick).toPrecision(3))}`
    return html`<text class="m" x="${x(Math.log1p(tick / 100))}" y="${px(height)}">${text}</text>`
  })
  const edges = [-threshold, 0, threshold].map(
    (value) =>
      html`<line class="${value === 0 ? 'zero' : 'thr'}" x1="${x(value)}" x2="${x(value)}" y1="0" y2="${px(height - 14)}"/>`,
  )
  const rows = drawn.map(({ comparison: { effect, interval95 } }, at) => {
    const y = px(5 + at * 7.5)
    const bar =
      interval95 === null
        ? null
        : html`<line class="i95" x1="${x(interval95.low)}" x2="${x(interval95.high)}" y1="${y}" y2="${y}"/>`
    return html`${bar}<circle class="pt" cx="${x(effect ?? 0)}" cy="${y}" r="2.6"/>`
  })
  const floor = report.noiseFloor
  const shade =
    floor === null
      ? null
      : html`<rect class="floor" x="${x(-floor)}" width="${percent(floor / reach)}" y="0" height="${px(height - 14)}"/>`
  return html`<svg class="chart self same" height="${px(height + 4)}" role="img" aria-label="${drawn.length} self-checks and the threshold">${shade}${edges}${rows}${ticks}</svg>`
}
