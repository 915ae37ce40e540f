/** The first thing on the page: one sentence, the rows that need a person, the verdicts counted. */
import type { Report, VerdictCounts } from '@assay/model'
import { shortKey } from '../places.ts'
import { type VerdictSign, verdictSigns } from '../verdict-signs.ts'
import type { Axis } from './axis.ts'
import { px } from './draw.ts'
import { effectFigure, figure } from './figures.ts'
import { wholePicture } from './forest.ts'
import { html, type Markup } from './markup.ts'
import { byUrgency, type DatasetGroup, type PageRow } from './page-rows.ts'
import { countedWord, tallied } from './tally.ts'

/** The most rows that are named; the others are one line down. */
const mostNamed = 8

/** The sentence, and the tone in which it is said. */
interface Call {
  readonly text: string
  readonly tone: VerdictSign['tone']
}

const noun = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

const callOf = (counts: VerdictCounts, compared: number): Call => {
  const unmeasured = counts.failed + counts['not-comparable'] + counts['no-baseline']
  if (compared === 0) return { text: 'Nothing was compared', tone: 'none' }
  if (counts.regression > 0) {
    return { text: noun(counts.regression, 'regression', 'regressions'), tone: 'reg' }
  }
  if (unmeasured > 0) {
    return {
      text: `No regression, but ${noun(unmeasured, 'row', 'rows')} without a verdict`,
      tone: 'fail',
    }
  }
  const undecided = counts.inconclusive + counts.indicative
  if (undecided > 0) {
    return { text: `No regression shown, ${undecided} of ${compared} undecided`, tone: 'inc' }
  }
  if (counts.improvement > 0) {
    const text = `No regression, ${noun(counts.improvement, 'improvement', 'improvements')}`
    return { text, tone: 'imp' }
  }
  return { text: 'No regression', tone: 'same' }
}

/** Each row in few words: benchmark, the keys that its group does not share, label. */
const namesOf = (groups: readonly DatasetGroup[]): ReadonlyMap<PageRow, string> =>
  new Map(
    groups.flatMap(({ benchmarks }) =>
      benchmarks.flatMap(({ benchmark, rows }) =>
        rows.map(({ entry, keys }) => {
          const levels = keys.flatMap((key) => {
            const level = entry.block.headings[key]
            return level === undefined ? [] : [`${shortKey(key)} ${level}`]
          })
          return [entry, [benchmark, ...levels, entry.row.label].join(' ').trim()] as const
        }),
      ),
    ),
  )

const needsPerson = ({ comparison: { verdict } }: PageRow): boolean =>
  ['regression', 'failed', 'not-comparable', 'no-baseline'].includes(verdict)

const reason = (entry: PageRow, nameOf: (entry: PageRow) => string): Markup => {
  const { verdict, effect } = entry.comparison
  const { tone, sign, word } = verdictSigns[verdict]
  const dataset = entry.block.headings['data-env-vars.name']
  const place = dataset === undefined ? null : html` <span class="mute">on ${dataset}</span>`
  const said = effect === null ? word : html`${effectFigure(entry.comparison)} %`
  return html`<li class="${tone}"><span><a href="#${entry.id}">${nameOf(entry)}</a>${place}</span><span class="r">${sign} ${said}</span></li>`
}

const rulesText = ({ rules }: Report): string => {
  const change = Number((rules.threshold * 100).toPrecision(3))
  const band = Number((rules.tolerance * 100).toPrecision(3))
  return `A change is an effect of at least ${change} % that is unlikely to be noise, over all rows together; unchanged is a 90 % interval within ±${band} %.`
}

const share = (counted: ReturnType<typeof tallied>, total: number): Markup => {
  let start = 0
  const parts = counted.map(([verdict, count]) => {
    const width = (count / total) * 100
    const part = html`<rect class="${verdictSigns[verdict].tone}" x="${px(start + 0.15)}%" width="${px(Math.max(0.1, width - 0.3))}%" height="100%"/>`
    start += width
    return part
  })
  return html`<svg class="share" aria-hidden="true">${parts}</svg>`
}

const reasonList = (
  rows: readonly PageRow[],
  nameOf: (entry: PageRow) => string,
): Markup | null => {
  if (rows.length === 0) return null
  const more = rows.length - mostNamed
  const rest = more > 0 ? html`<li class="mute"><span>and ${more} more below</span></li>` : null
  return html`<ul class="reasons">${rows.slice(0, mostNamed).map((entry) => reason(entry, nameOf))}${rest}</ul>`
}

const countList = (counted: ReturnType<typeof tallied>): Markup =>
  html`<ul class="counts">${counted.map(
    ([verdict, count]) =>
      html`<li class="${verdictSigns[verdict].tone}"><b>${figure(count, String(count))}</b><span>${verdictSigns[verdict].sign} ${countedWord(verdict, count)}</span></li>`,
  )}</ul>`

/** The head of the page: the call with its reasons, and the whole report as one picture. */
export const verdictHead = (
  report: Report,
  groups: readonly DatasetGroup[],
  axis: Axis,
): Markup => {
  const names = namesOf(groups)
  const nameOf = (entry: PageRow): string => names.get(entry) ?? entry.row.label
  const urgent = [...names.keys()].sort(byUrgency)
  const counted = tallied(urgent.map(({ comparison }) => comparison.verdict))
  const call = callOf(report.counts, urgent.length)
  const { status } = report.run
  const state =
    status === 'complete' ? '' : ` The run is ${status}: this is what was measured so far.`
  const drawn = { axis, tolerance: report.rules.tolerance }
  const picture = html`<figure>${wholePicture(urgent, drawn, nameOf)}<figcaption>Effect on ${report.metric.name} in percent, of every comparison with its 95 % interval, worst first. Shaded: the tolerance. Each mark leads to its row.</figcaption></figure>`
  const all =
    urgent.length === 0
      ? null
      : html`<section>${countList(counted)}${share(counted, urgent.length)}${picture}</section>`
  return html`<div class="top"><section class="gate ${call.tone}"><h2 class="call">${call.text}</h2><p class="why">${noun(urgent.length, 'comparison', 'comparisons')}.${state} ${rulesText(report)}</p>${reasonList(urgent.filter(needsPerson), nameOf)}</section>${all}</div>`
}
