/**
 * The comparisons in their groups, worst first. A row is a `details` element, so that it opens
 * without a script; its figures carry hidden names, which become visible where the screen is narrow.
 */
import type { Report } from '@assay/model'
import { shortKey } from '../places.ts'
import { isSeconds, rowTimeUnit } from '../small-times.ts'
import { verdictSigns } from '../verdict-signs.ts'
import type { Axis } from './axis.ts'
import {
  changeText,
  differenceText,
  effectFigure,
  figure,
  figureOr,
  shareText,
  valueText,
} from './figures.ts'
import { axisHead, rowForest } from './forest.ts'
import { type Content, html, type Markup } from './markup.ts'
import type { BenchmarkGroup, DatasetGroup, GroupedRow, PageRow } from './page-rows.ts'
import { rowPanel } from './row-panel.ts'
import { verdictTally } from './tally.ts'

const keyMarkup = (entry: PageRow, key: string): Content => {
  const level = entry.block.headings[key]
  if (level === undefined) return null
  return html`<span class="key" title="${key} = ${level}"><i>${shortKey(key)}</i> ${level}</span> `
}

const named = (tone: string, name: string, content: Content): Markup =>
  html`<span class="${tone}"><small class="l">${name} </small>${content}</span>`

const roundsCell = (
  { comparison: { pairs, rounds, roundsNeeded } }: PageRow,
  isPaired: boolean,
): Markup => {
  if (rounds === 0) return named('n rd', 'pairs', '–')
  const counts = isPaired
    ? html`${figure(pairs, String(pairs))}/${figure(rounds, String(rounds))}`
    : figure(rounds, String(rounds))
  const needed =
    roundsNeeded === null
      ? null
      : html`<small>${figure(roundsNeeded, String(roundsNeeded))} decide</small>`
  const tone = pairs < rounds && isPaired ? 'n rd part' : 'n rd'
  return named(tone, isPaired ? 'pairs' : 'samples', html`${counts}${needed}`)
}

const verdictCell = ({ comparison }: PageRow): Markup => {
  const { tone, sign, word } = verdictSigns[comparison.verdict]
  const sees =
    comparison.minimumDetectable === null
      ? null
      : html`<small title="minimum detectable effect with this many pairs">sees ≥ ${figure(comparison.minimumDetectable, shareText(comparison.minimumDetectable))}</small>`
  const warned =
    comparison.warnings.length === 0
      ? null
      : html`<small>${comparison.warnings.map(({ code }) => code).join(', ')}</small>`
  return html`<span class="ver ${tone}"><b><i>${sign}</i> ${word}</b>${sees}${warned}</span>`
}

const rowMarkup = (
  { entry, keys, again }: GroupedRow,
  page: { readonly report: Report; readonly axis: Axis },
): Markup => {
  const { row, baseline, comparison } = entry
  const { unit } = page.report.metric
  const small = rowTimeUnit(row, baseline, unit)
  const value = (of: PageRow['row'] | null): Markup =>
    figureOr(of?.summary?.median ?? null, (median) => valueText(median, unit, small))
  const variant =
    keys.length === 0
      ? html`<span class="key faint">one variant</span>`
      : keys.map((key) => keyMarkup(entry, key))
  const cells = [
    html`<span class="c-v${again ? ' again' : ''}">${variant}</span>`,
    html`<span class="lab">${row.label}</span>`,
    named('n', `${baseline?.label ?? 'baseline'}`, value(baseline)),
    named('n', 'candidate', value(row)),
    named(
      'n chg',
      'change',
      figureOr(comparison.change, (change) => changeText(change)),
    ),
    named(
      'n',
      'difference',
      figureOr(comparison.difference, (difference) => differenceText(difference, unit, small)),
    ),
    html`<span class="plot">${rowForest(entry, page.axis)}</span>`,
    named('n eff', 'effect, %', effectFigure(comparison)),
    roundsCell(entry, page.report.pairing !== 'unpaired'),
    verdictCell(entry),
  ]
  const dataset = entry.block.headings['data-env-vars.name'] ?? ''
  return html`<details class="row" id="${entry.id}" data-v="${comparison.verdict}" data-l="${row.label}" data-d="${dataset}"><summary><span class="cells">${cells}</span></summary>${rowPanel(entry, page.report)}</details>`
}

const benchmarkMarkup = (
  group: BenchmarkGroup,
  page: { readonly report: Report; readonly axis: Axis },
): Markup => {
  const keys = group.shared.map((key) => {
    const level = group.example.headings[key] ?? ''
    return html`<span class="key" title="${key} = ${level}"><i>${shortKey(key)}</i> ${level}</span> `
  })
  return html`<section class="b"><h4 class="bh"><b>${group.benchmark === '' ? 'no benchmark named' : group.benchmark}</b><span class="keys">${keys}</span></h4>${group.rows.map((row) => rowMarkup(row, page))}</section>`
}

const datasetMarkup = (
  group: DatasetGroup,
  page: { readonly report: Report; readonly axis: Axis },
): Markup => {
  const verdicts = group.benchmarks.flatMap(({ rows }) =>
    rows.map(({ entry }) => entry.comparison.verdict),
  )
  return html`<section class="d"><h3 class="dsh"><span>${group.dataset === '' ? 'no dataset' : group.dataset}</span><span class="sum">${verdictTally(verdicts)}</span></h3>${group.benchmarks.map((benchmark) => benchmarkMarkup(benchmark, page))}</section>`
}

const headRow = (report: Report, axis: Axis): Markup => {
  const { unit } = report.metric
  const directions = isSeconds(unit) ? (['faster', 'slower'] as const) : (['less', 'more'] as const)
  const short = isSeconds(unit) ? 's' : unit
  return html`<div class="cells thead" aria-hidden="true"><span class="c-v">Variant</span><span>Candidate</span><span class="n">baseline<small>median, ${short}</small></span><span class="n">candidate<small>median, ${short}</small></span><span class="n">change<small>medians</small></span><span class="n">difference<small>${short}</small></span><span class="plot">${axisHead(axis, directions)}</span><span class="n eff">effect, %<small>95 % interval</small></span><span class="n">${report.pairing === 'unpaired' ? 'samples' : 'pairs'}<small>${report.pairing === 'unpaired' ? 'a side' : 'good/all'}</small></span><span class="ver">Verdict</span></div>`
}

/** All comparisons; a report without any says so. */
export const comparisonTable = (
  groups: readonly DatasetGroup[],
  page: { readonly report: Report; readonly axis: Axis },
): Markup =>
  groups.length === 0
    ? html`<p class="mute">This run compares nothing: every block has one row only.</p>`
    : html`<div class="t">${headRow(page.report, page.axis)}${groups.map((group) => datasetMarkup(group, page))}</div>`
