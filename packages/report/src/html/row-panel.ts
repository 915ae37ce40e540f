/** What an opened row shows: the verdict in words, charts, figures, warnings, failures, raw JSON. */
import {
  canonicalJson,
  type Report,
  type ReportBlock,
  type ReportRow,
  type StoredSample,
} from '@assay/model'
import { fractionOf } from '@assay/stats'
import { clip } from '../markdown-text.ts'
import { verdictSigns } from '../verdict-signs.ts'
import {
  effectText,
  figure,
  figureOr,
  intervalText,
  probabilityText,
  shareText,
  valueText,
} from './figures.ts'
import { type Content, html, type Markup } from './markup.ts'
import type { PageRow } from './page-rows.ts'
import { distributions, pairDifferences, runOrder, sidesOf, thinnedText } from './row-charts.ts'
import { conditionFacts, resourceTable } from './row-resources.ts'

/** The most failed samples whose stderr is shown, and the most characters of each. */
const mostFailures = 3
const longestStderr = 2000

const legend = (baseline: string, candidate: string): Markup =>
  html`<span class="legend"><svg class="lg"><use href="#ga"/></svg>${baseline}<svg class="lg"><use href="#gc"/></svg>${candidate}</span>`

const charts = (entry: PageRow, report: Report): Content => {
  const sides = sidesOf(entry, report)
  if (sides === null) {
    return html`<p class="mute">No samples were handed to this page: it shows the report alone.</p>`
  }
  if (sides.baseline.good.length + sides.candidate.good.length === 0) {
    return html`<p class="mute">No good sample was measured on either side.</p>`
  }
  const { name, unit } = report.metric
  const isPaired = report.pairing !== 'unpaired'
  const pairs = isPaired
    ? html`<figure><h4>Difference of each pair, %<span class="legend">line: effect, shade: its 95 % interval</span></h4>${pairDifferences(sides, entry, report.rules.tolerance)}</figure>`
    : null
  return html`<div class="three"><figure><h4>${name} of every sample, in run order${legend(sides.baseline.label, sides.candidate.label)}</h4>${runOrder(sides, unit)}</figure><figure><h4>Distributions</h4>${distributions(sides)}</figure>${pairs}</div>${thinnedText(sides)}`
}

const summaryRow = (row: ReportRow, unit: string): Markup => {
  const { summary } = row
  const value = (of: (known: NonNullable<typeof summary>) => number): Markup =>
    figureOr(summary === null ? null : of(summary), (number) => valueText(number, unit))
  return html`<tr><th scope="row">${row.label}</th><td>${summary === null ? '0' : figure(summary.count, String(summary.count))}</td><td>${value(({ median }) => median)}</td><td>${value(({ best }) => best)}</td><td>${value(({ mean }) => mean)}</td><td>${value(({ mad }) => mad)}</td></tr>`
}

const summaries = ({ baseline, row }: PageRow, { metric }: Report): Markup =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Figures of both sides"><table class="mt"><thead><tr><th scope="col">${metric.name}, ${metric.unit}</th><th scope="col">n</th><th scope="col">median</th><th scope="col">best</th><th scope="col">mean</th><th scope="col">MAD</th></tr></thead><tbody>${baseline === null ? null : summaryRow(baseline, metric.unit)}${summaryRow(row, metric.unit)}</tbody></table></div>`

const stopTexts = {
  precise: 'the intervals were narrow enough',
  rounds: 'all rounds of the campaign were measured',
  budget: 'the budget was spent',
  failed: 'everything failed',
  unsupported: 'nothing can be measured',
} as const satisfies Record<NonNullable<ReportBlock['stopReason']>, string>

/** Where samples repeat what they measure: how often. */
const loopsFact = ({ summary }: ReportRow): readonly (readonly [string, Content])[] =>
  summary?.loops === undefined ? [] : [['loops in a sample', String(summary.loops)]]

/** The numbers behind the verdict, each with its name. */
const testFacts = ({ comparison, block, row }: PageRow): Markup => {
  const { interval90, interval95, effect } = comparison
  const facts: readonly (readonly [string, Content])[] = [
    ['effect', effect === null ? '–' : html`${figure(fractionOf(effect), effectText(effect))} %`],
    ['95 % interval', interval95 === null ? '–' : `${intervalText(interval95)} %`],
    ['90 % interval', interval90 === null ? '–' : `${intervalText(interval90)} %`],
    ['p', figureOr(comparison.pValue, probabilityText)],
    ['p, corrected', figureOr(comparison.adjustedPValue, probabilityText)],
    ['detectable', figureOr(comparison.minimumDetectable, shareText)],
    ['rounds to decide', figureOr(comparison.roundsNeeded, String)],
    ...loopsFact(row),
    ['stopped because', block.stopReason === null ? 'not finished' : stopTexts[block.stopReason]],
  ]
  return html`<dl class="kv">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

const warningList = ({ comparison: { warnings } }: PageRow): Content =>
  warnings.length === 0
    ? null
    : html`<section><h4>Warnings</h4><ul class="warn">${warnings.map(({ code, message }) => html`<li><code>${code}</code> ${message}</li>`)}</ul></section>`

const howItEnded = ({ outcome, exitCode, signal }: StoredSample): string => {
  if (signal !== null) return `${outcome}, ${signal}`
  return exitCode === null ? outcome : `${outcome}, exit ${exitCode}`
}

const failures = ({ samples, row, baseline }: PageRow): Content => {
  const bad = [...samples.baseline, ...samples.candidate].filter(
    ({ outcome }) => outcome !== 'good',
  )
  if (bad.length === 0) return null
  const labelOf = (sample: StoredSample): string =>
    sample.cellId === row.cellId ? row.label : (baseline?.label ?? '')
  const shown = bad
    .slice(0, mostFailures)
    .map(
      (sample) =>
        html`<li>${labelOf(sample)}, round ${sample.round}: ${howItEnded(sample)}${sample.stderr === '' ? null : html`<pre tabindex="0">${clip(sample.stderr, longestStderr)}</pre>`}</li>`,
    )
  const more = bad.length - shown.length
  return html`<section><h4>Samples that are not good: kept, counted, never averaged</h4><ul class="warn fail">${shown}${more > 0 ? html`<li class="mute">and ${more} more</li>` : null}</ul></section>`
}

/** The names of the headings in full, for who wants to find the row elsewhere. */
const headings = ({ block }: PageRow): Markup =>
  html`<dl class="kv">${Object.entries(block.headings).map(([key, level]) => html`<dt><code>${key}</code></dt><dd>${level}</dd>`)}<dt><code>block</code></dt><dd>${block.blockId}</dd></dl>`

/** The panel of a row. */
export const rowPanel = (entry: PageRow, report: Report): Markup => {
  const { verdict, reason } = entry.comparison
  const { tone, sign, word } = verdictSigns[verdict]
  const json = JSON.stringify(JSON.parse(canonicalJson(entry.row)), null, 1)
  const say = `${word.charAt(0).toUpperCase()}${word.slice(1)}.`
  return html`<div class="panel ${tone}"><p class="say"><b>${sign} ${say}</b> ${reason}</p>${charts(entry, report)}<div class="two"><div>${summaries(entry, report)}${resourceTable(entry, report.metric.name)}${warningList(entry)}${failures(entry)}</div><div><h4>Behind the verdict</h4>${testFacts(entry)}${conditionFacts(entry.conditions)}</div></div><div class="folds"><details><summary>Variant in full</summary>${headings(entry)}</details><details><summary>JSON of this row</summary><pre tabindex="0">${json}</pre></details></div></div>`
}
