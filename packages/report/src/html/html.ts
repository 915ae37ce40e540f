/**
 * The report as one page that needs nothing else: no network, no file beside it, as good from a
 * mail attachment as from a server. One style and one script, allowed by their hashes alone, so
 * that nothing else in the page can run, whatever the labels and reasons say.
 */
import { createHash } from 'node:crypto'
import type { Report, RoundConditions } from '@assay/model'
import type { RenderOptions, ReportDetails, ReportFormat } from '../format.ts'
import { reviewTexts } from '../reviews.ts'
import { judgedSamples } from '../samples.ts'
import { axisOf } from './axis.ts'
import { comparability } from './comparability.ts'
import { filterForm } from './filters.ts'
import { foot } from './foot.ts'
import { sharedGrid } from './forest.ts'
import { type Content, html, type Markup, verbatim } from './markup.ts'
import { groupRows, pageRows } from './page-rows.ts'
import { pageScript } from './script.ts'
import { pageStyle } from './style.ts'
import { comparisonTable } from './table.ts'
import { verdictHead } from './verdict-line.ts'

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The hashes of the page's style and script, and the policy that allows nothing else. */
export const htmlPolicy = {
  styleHash: hashOf(pageStyle),
  scriptHash: hashOf(pageScript),
  contentSecurityPolicy: `default-src 'none'; style-src ${hashOf(pageStyle)}; script-src ${hashOf(pageScript)}; base-uri 'none'; form-action 'none'`,
} as const

/** `2024-09-17 20:58 UTC`; a run that was never dated has no date. */
const dateText = (millis: number): string => {
  const date = new Date(millis)
  return Number.isNaN(date.getTime())
    ? 'at no known time'
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const reviewList = (report: Report): Content => {
  const texts = reviewTexts(report)
  return texts.length === 0
    ? null
    : html`<ul class="warn">${texts.map((text) => html`<li><code>review</code> ${text}</li>`)}</ul>`
}

const pageHead = (report: Report): Markup => {
  const { run, comparedFactor, metric, warnings } = report
  const list: Content =
    warnings.length === 0
      ? null
      : html`<ul class="warn">${warnings.map(({ code, message }) => html`<li><code>${code}</code> ${message}</li>`)}</ul>`
  return html`<div class="title"><div><h1>${run.campaign}</h1><p class="meta">Run <b>${run.name ?? run.id}</b>, started ${dateText(run.createdAt)}. Compares <b>${comparedFactor}</b> by ${metric.name}.</p></div><div class="acts"><button type="button" class="primary" data-copy="commit" hidden>Copy as commit message</button><a class="btn" href="#read">How to read this ↓</a></div></div>${list}${reviewList(report)}`
}

const conditionsByBlock = (
  rounds: readonly RoundConditions[],
): ReadonlyMap<string, readonly RoundConditions[]> => {
  const byBlock = new Map<string, RoundConditions[]>()
  for (const round of rounds) {
    const known = byBlock.get(round.blockId)
    if (known === undefined) byBlock.set(round.blockId, [round])
    else known.push(round)
  }
  return byBlock
}

const body = (report: Report, details: ReportDetails | undefined): Markup => {
  const rows = pageRows(report, 'candidate', {
    samples: judgedSamples(report, details?.samples ?? []),
    conditions: conditionsByBlock(details?.conditions ?? []),
  })
  const axis = axisOf(rows, report.rules.tolerance)
  const groups = groupRows(report, rows)
  return html`<a class="skip" href="#rows">Skip to the comparisons</a><main><div class="wrap head">${pageHead(report)}${verdictHead(report, groups, axis)}</div><div class="wrap">${comparability(report)}</div><div class="wrap rows" id="rows">${sharedGrid(axis, report.rules.tolerance)}<h2>Comparisons</h2>${filterForm(rows)}${comparisonTable(groups, { report, axis })}</div><div class="wrap" id="read">${foot(report)}</div></main><p class="toast" role="status" aria-live="polite"></p>`
}

const renderHtml = (
  report: Report,
  _options?: Partial<RenderOptions>,
  details?: ReportDetails,
): string => {
  const title = `${report.run.campaign}: report of ${report.run.name ?? report.run.id}`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${htmlPolicy.contentSecurityPolicy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${verbatim(pageStyle)}</style></head>
<body>${body(report, details)}<script>${verbatim(pageScript)}</script></body></html>
`.markup
}

/** Reports as a page of their own. */
export const htmlFormat: ReportFormat = {
  name: 'html',
  mediaType: 'text/html',
  needsSamples: true,
  joins: false,
  render: renderHtml,
}
