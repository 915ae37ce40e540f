/** The end of the page: how to read it, the text for a commit message, and what is only counted. */
import type { Report } from '@assay/model'
import { compactFormat } from '../text.ts'
import { type Content, html, type Markup } from './markup.ts'

const terms: readonly (readonly [string, string])[] = [
  [
    'change',
    'The second median against the first: what a commit message prints. It never decides.',
  ],
  [
    'effect',
    'The typical ratio of the two sides. The thin line is its 95 % interval, the thick one its 90 %. This decides.',
  ],
  [
    '▲ ▼',
    'Slower or faster (or more and less), unlikely to be noise over all rows together, and large enough to matter.',
  ],
  [
    '= unchanged',
    'The 90 % interval lies within the tolerance: any difference that is left is too small to matter.',
  ],
  [
    '? inconclusive',
    'Neither: “sees ≥” is the smallest effect that this many rounds would have shown, “decide” how many would settle it.',
  ],
  [
    'pairs',
    'Rounds in which both sides have a good sample, of all rounds. Failed samples are shown, never averaged.',
  ],
]

const alone = ({ blocks }: Report): Content => {
  const lonely = blocks.filter(({ rows }) => rows.every(({ comparison }) => comparison === null))
  if (lonely.length === 0) return null
  const items = lonely.slice(0, 20).map(({ headings, rows }) => {
    const place = Object.entries(headings)
      .map(([key, level]) => `${key} = ${level}`)
      .join(', ')
    return html`<li>${place}: ${rows.map(({ label }) => label).join(', ')}</li>`
  })
  const more = lonely.length - items.length
  return html`<section><h2>Measured, compared with nothing</h2><ul>${items}${more > 0 ? html`<li>and ${more} more</li>` : null}</ul></section>`
}

/** Below the table. */
export const foot = (report: Report): Markup => {
  const text = compactFormat.render(report, { verdicts: false })
  return html`<div class="foot"><section class="read"><h2>How to read this</h2><dl>${terms.map(([term, said]) => html`<dt>${term}</dt><dd>${said}</dd>`)}</dl>${alone(report)}</section><section><div class="hd"><h2>As commit message</h2><button type="button" data-copy="commit" hidden>Copy</button></div><p class="mute">A heading stays in force until it is set again. The text can be imported back.</p><pre id="commit" tabindex="0">${text}</pre></section></div>`
}
