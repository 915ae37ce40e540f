/** Filters over the rows: only with a script, so hidden without one; they say what they hide. */
import { verdictSigns } from '../verdict-signs.ts'
import { figure } from './figures.ts'
import { type Content, html, type Markup } from './markup.ts'
import type { PageRow } from './page-rows.ts'
import { tallied } from './tally.ts'

const choice = (
  name: string,
  all: { readonly label: string; readonly text: string },
  values: Iterable<string>,
): Content => {
  const distinct = [...new Set(values)]
  if (distinct.length < 2) return null
  const options = distinct.map(
    (value) => html`<option value="=${value}">${value === '' ? 'none' : value}</option>`,
  )
  return html`<select name="${name}" aria-label="${all.label}"><option value="*">${all.text}</option>${options}</select>`
}

/** The form above the table, and the line that says what is shown. */
export const filterForm = (rows: readonly PageRow[]): Markup => {
  const counted = tallied(rows.map(({ comparison }) => comparison.verdict))
  const chips = counted.map(
    ([verdict, count]) =>
      html`<label class="${verdictSigns[verdict].tone}"><input type="checkbox" name="v" value="${verdict}" checked><i>${verdictSigns[verdict].sign}</i><span class="w">${verdictSigns[verdict].word}</span><b>${figure(count, String(count))}</b></label>`,
  )
  const datasets = rows.map(({ block }) => block.headings['data-env-vars.name'] ?? '')
  return html`<form class="filters" role="search" aria-label="Filter the comparisons" hidden><fieldset class="chips"><legend class="vh">Verdicts shown</legend>${chips}</fieldset>${choice('d', { label: 'Dataset', text: 'all datasets' }, datasets)}${choice(
    'l',
    { label: 'Candidate', text: 'all candidates' },
    rows.map(({ row }) => row.label),
  )}<input type="search" name="q" placeholder="any key or value" aria-label="Rows that contain"></form><p class="shown" role="status" aria-live="polite"><b>All ${rows.length} comparisons are shown.</b></p>`
}
