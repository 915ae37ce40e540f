/** Whether the numbers may be compared at all: hosts, sampling, rules, and the noise that was found. */
import type { Report } from '@assay/model'
import { fractionOf } from '@assay/stats'
import { type PlacedRow, placedRows } from '../places.ts'
import { figure, shareText } from './figures.ts'
import { selfCheckPicture } from './forest.ts'
import { type Content, html, type Markup } from './markup.ts'

/** The first digits of a digest, enough to compare by eye; the whole as its title. */
const digest = (whole: string): Markup => html`<code title="${whole}">${whole.slice(0, 12)}</code> `

const facts = (pairs: readonly (readonly [string, Content])[]): Markup =>
  html`<dl>${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

const seconds = (value: number): string =>
  value >= 7200 ? `${Number((value / 3600).toPrecision(3))} h` : `${Number(value.toPrecision(3))} s`

/** Of numbers measured elsewhere only what their files say. */
const samplingFacts = ({ sampling, run, pairing }: Report): Markup => {
  if (sampling === null) {
    return facts([['order', 'imported: not interleaved, judged as two independent groups']])
  }
  const order =
    pairing === 'unpaired'
      ? 'two runs: not interleaved, judged as two independent groups'
      : html`interleaved, random in each round, seed <code>${run.seed}</code>`
  return facts([
    ['rounds', `${sampling.rounds.min} to ${sampling.rounds.max}`],
    ['stops at', `±${shareText(sampling.precision)} of the interval`],
    ['order', order],
    [
      'cache',
      `${sampling.cache}, ${sampling.warmups} ${sampling.warmups === 1 ? 'warmup' : 'warmups'} kept apart`,
    ],
    [
      'budget',
      sampling.budgetSeconds === null ? 'none' : `${seconds(sampling.budgetSeconds)} a block`,
    ],
    ['timeout', seconds(sampling.timeoutSeconds)],
  ])
}

const ruleFacts = ({ rules, metric }: Report): Markup =>
  facts([
    ['metric', `${metric.name}, ${metric.unit}`],
    [
      'changed',
      html`at least ${figure(rules.threshold, shareText(rules.threshold))}, false discovery rate ${figure(rules.falseDiscoveryRate, shareText(rules.falseDiscoveryRate))} over all rows`,
    ],
    [
      'unchanged',
      html`90 % interval within ±${figure(rules.tolerance, shareText(rules.tolerance))}`,
    ],
    [
      'difference',
      rules.minDifferenceSeconds === 0
        ? 'however small'
        : `at least ${seconds(rules.minDifferenceSeconds)}`,
    ],
  ])

const noise = (report: Report, checks: readonly PlacedRow[]): Markup => {
  if (checks.length === 0) {
    return html`<p>Not measured. <span class="mute">A campaign with <code>selfCheck: true</code> measures its baseline twice and so knows its own noise.</span></p>`
  }
  const floor =
    report.noiseFloor === null
      ? html`Too few self-checks for a noise floor.`
      : html`Noise floor <b>${figure(fractionOf(report.noiseFloor), shareText(fractionOf(report.noiseFloor)))}</b>.`
  return html`${selfCheckPicture(checks, report)}<p>${floor} <span class="mute">${checks.length} self-checks; dashed: the threshold of ${shareText(report.rules.threshold)}, in percent.</span></p>`
}

const doubts = (report: Report): readonly string[] => [
  ...(report.fingerprints.length === 0 ? ['no host is known'] : []),
  ...(report.pairing === 'unpaired' ? ['not measured side by side'] : []),
  ...(report.fingerprints.length > 1 ? ['several hosts: compare within a block only'] : []),
  ...(report.counts['not-comparable'] > 0
    ? [`${report.counts['not-comparable']} rows are not comparable`]
    : []),
  ...(report.warnings.some(({ code }) => code === 'self-check-flagged')
    ? ['a self-check was flagged']
    : []),
]

/** The box between verdict and table. */
export const comparability = (report: Report): Markup => {
  const checks = placedRows(report, 'self-check')
  const open = doubts(report)
  const head =
    open.length === 0
      ? html`<h2><span class="ok">✓ Comparable.</span></h2><span class="mute">Both sides of every row were measured in one block, on one host, in random order.</span>`
      : html`<h2><span class="doubt inc">? With reservations.</span></h2><span class="mute">${open.join('; ')}.</span>`
  const hosts = report.fingerprints.map((one) => html`<li>${digest(one)}</li>`)
  return html`<section class="box"><header>${head}</header><div class="facts"><div><h3>Host</h3><dl><dt>fingerprint</dt><dd><ul>${hosts.length === 0 ? html`<li>–</li>` : hosts}</ul></dd><dt>campaign</dt><dd>${digest(report.run.campaignDigest)}</dd><dt>run</dt><dd><code>${report.run.id}</code></dd></dl></div><div><h3>Sampling</h3>${samplingFacts(report)}</div><div><h3>Rules</h3>${ruleFacts(report)}</div><div><h3>Self-check: baseline twice</h3>${noise(report, checks)}</div></div></section>`
}
