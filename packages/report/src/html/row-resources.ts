/** What both sides of a row used beside the judged metric, and what the host was like meanwhile. */
import {
  type Conditions,
  metricOf,
  metricValue,
  type RoundConditions,
  type StoredSample,
} from '@assay/model'
import { px } from './draw.ts'
import { changeText, figure, figureOr, valueText } from './figures.ts'
import { type Content, html, type Markup } from './markup.ts'
import { medianOf } from './median.ts'
import type { PageRow } from './page-rows.ts'

/** What the system accounts to every child, as a person calls it. */
const accounted: Readonly<Record<string, string>> = {
  wallSeconds: 'wall time',
  cpuSeconds: 'processor time (user and system)',
  userSeconds: 'user time',
  systemSeconds: 'system time',
  peakRssBytes: 'peak memory',
  minorFaults: 'minor faults',
  majorFaults: 'major faults',
  voluntarySwitches: 'voluntary switches',
  involuntarySwitches: 'involuntary switches',
  blocksIn: 'blocks read',
  blocksOut: 'blocks written',
}

const mebibyte = 1024 * 1024

const quantityText = (value: number, unit: string): string => {
  if (unit === 'bytes' && Math.abs(value) >= mebibyte) return `${(value / mebibyte).toFixed(2)} MiB`
  return `${valueText(value, unit)}${unit === 'seconds' && Math.abs(value) >= 0.001 ? ' s' : ''}`
}

const good = (samples: readonly StoredSample[]): readonly StoredSample[] =>
  samples.filter(({ outcome }) => outcome === 'good')

const medianMetric = (samples: readonly StoredSample[], name: string): number | null =>
  medianOf(
    samples.flatMap((sample) => {
      const value = metricValue(sample, name)
      return value === null ? [] : [value]
    }),
  )

/** A line of the table; null where neither side has any of it. */
const resourceRow = (
  name: string,
  sides: {
    readonly baseline: readonly StoredSample[]
    readonly candidate: readonly StoredSample[]
  },
): Content => {
  const [before, after] = [medianMetric(sides.baseline, name), medianMetric(sides.candidate, name)]
  if ((before ?? 0) === 0 && (after ?? 0) === 0) return null
  const { unit } = metricOf(name)
  const text = (value: number): string => quantityText(value, unit)
  const change = before === null || after === null || before === 0 ? null : after / before - 1
  return html`<tr><th scope="row">${accounted[name] ?? name}</th><td>${figureOr(before, text)}</td><td>${figureOr(after, text)}</td><td>${figureOr(change, changeText)}</td></tr>`
}

/** Medians of everything that was measured beside the judged metric; null without samples. */
export const resourceTable = ({ samples, baseline, row }: PageRow, judged: string): Content => {
  const sides = { baseline: good(samples.baseline), candidate: good(samples.candidate) }
  const all = [...sides.baseline, ...sides.candidate]
  const own = [...new Set(all.flatMap(({ metrics }) => Object.keys(metrics)))].sort()
  const rows = [...Object.keys(accounted), ...own]
    .filter((name) => name !== judged)
    .map((name) => resourceRow(name, sides))
  if (rows.every((one) => one === null)) return null
  return html`<section><div class="scroll" tabindex="0" role="region" aria-label="What both sides used"><table class="mt"><thead><tr><th scope="col">used, medians</th><th scope="col">${baseline?.label ?? 'baseline'}</th><th scope="col">${row.label}</th><th scope="col">change</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}

/** How a condition is called and written; steal is a counter and told apart. */
const varying: readonly {
  readonly name: string
  readonly of: (conditions: Conditions) => number | null
  readonly text: (value: number) => string
}[] = [
  { name: 'load', of: ({ load }) => load, text: (value) => value.toFixed(2) },
  {
    name: 'processor pressure',
    of: ({ cpuPressure }) => cpuPressure,
    text: (value) => `${(value * 100).toFixed(1)} %`,
  },
  {
    name: 'input/output pressure',
    of: ({ ioPressure }) => ioPressure,
    text: (value) => `${(value * 100).toFixed(1)} %`,
  },
  {
    name: 'temperature',
    of: ({ temperatureCelsius }) => temperatureCelsius,
    text: (value) => `${value.toFixed(0)} °C`,
  },
  {
    name: 'frequency',
    of: ({ frequencyMegahertz }) => frequencyMegahertz,
    text: (value) => `${value.toFixed(0)} MHz`,
  },
]

const known = (
  rounds: readonly RoundConditions[],
  of: (conditions: Conditions) => number | null,
): number[] => rounds.flatMap(({ conditions }) => of(conditions) ?? [])

const stolen = (rounds: readonly RoundConditions[]): Content => {
  const seconds = known(rounds, ({ stealSeconds }) => stealSeconds)
  const [first, last] = [seconds[0], seconds.at(-1)]
  if (first === undefined || last === undefined || seconds.length < 2) return null
  return html`<dt>stolen by the hypervisor</dt><dd>${figure(last - first, `${(last - first).toFixed(2)} s`)} from the first round to the last</dd>`
}

/** Points of a line that is as wide as a word or two. */
const mostPoints = 60

/** Values in the order of rounds as a small line; nothing where they never change. */
const sparkline = (values: readonly number[]): Content => {
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  if (span === 0) return null
  const every = Math.ceil(values.length / mostPoints)
  const shown = values.filter((_, at) => at % every === 0)
  const path = shown
    .map((value, at) => {
      const x = Math.round((at / Math.max(1, shown.length - 1)) * 100)
      return `${at === 0 ? 'M' : 'L'}${x} ${px(13 - ((value - low) / span) * 12)}`
    })
    .join('')
  return html`<svg class="spark" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>`
}

/** What the host was like while a row's block was measured; null where nobody recorded it. */
export const conditionFacts = (rounds: readonly RoundConditions[]): Markup | null => {
  const facts = varying.flatMap(({ name, of, text }) => {
    const values = known(rounds, of)
    const median = medianOf(values)
    if (median === null) return []
    const [low, high] = [Math.min(...values), Math.max(...values)]
    const range = text(low) === text(high) ? null : `, ${text(low)} to ${text(high)}`
    return [
      html`<dt>${name}</dt><dd>${figure(median, text(median))}${range}${sparkline(values)}</dd>`,
    ]
  })
  const steal = stolen(rounds)
  if (facts.length === 0 && steal === null) return null
  return html`<h4>The host meanwhile, medians over rounds</h4><dl class="kv">${facts}${steal}</dl>`
}
