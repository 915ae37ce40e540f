/** What both sides of a row used beside the judged metric, and what the host was like meanwhile. */
import {
  type Conditions,
  isComparable,
  metricOf,
  type RoundConditions,
  type StoredSample,
} from '@assay/model'
import { px } from './draw.ts'
import { changeText, figure, figureOr, valueText } from './figures.ts'
import { type Content, html, type Markup } from './markup.ts'
import { medianOf } from './median.ts'
import type { PageRow } from './page-rows.ts'

type Read = (sample: StoredSample) => number | null

/** What the system accounts to every child, as a person calls it. */
const accounted: readonly { readonly name: string; readonly text: string; readonly of: Read }[] = [
  { name: 'wallSeconds', text: 'wall time', of: ({ usage }) => usage.wallSeconds },
  {
    name: 'cpuSeconds',
    text: 'processor time (user and system)',
    of: ({ usage }) => usage.userSeconds + usage.systemSeconds,
  },
  { name: 'userSeconds', text: 'user time', of: ({ usage }) => usage.userSeconds },
  { name: 'systemSeconds', text: 'system time', of: ({ usage }) => usage.systemSeconds },
  { name: 'peakRssBytes', text: 'peak memory', of: ({ usage }) => usage.peakRssBytes },
  { name: 'minorFaults', text: 'minor faults', of: ({ usage }) => usage.minorFaults },
  { name: 'majorFaults', text: 'major faults', of: ({ usage }) => usage.majorFaults },
  {
    name: 'voluntarySwitches',
    text: 'voluntary switches',
    of: ({ usage }) => usage.voluntarySwitches,
  },
  {
    name: 'involuntarySwitches',
    text: 'involuntary switches',
    of: ({ usage }) => usage.involuntarySwitches,
  },
  { name: 'blocksIn', text: 'blocks read', of: ({ usage }) => usage.blocksIn },
  { name: 'blocksOut', text: 'blocks written', of: ({ usage }) => usage.blocksOut },
]

const mebibyte = 1024 * 1024

const quantityText = (value: number, unit: string): string => {
  if (unit === 'bytes' && Math.abs(value) >= mebibyte) return `${(value / mebibyte).toFixed(2)} MiB`
  return `${valueText(value, unit)}${unit === 'seconds' && Math.abs(value) >= 0.001 ? ' s' : ''}`
}

const good = (samples: readonly StoredSample[]): readonly StoredSample[] =>
  samples.filter(({ outcome }) => outcome === 'good')

const medianMetric = (samples: readonly StoredSample[], read: Read): number | null => {
  const values: number[] = []
  for (const sample of samples) {
    const value = read(sample)
    if (value !== null) values.push(value)
  }
  return medianOf(values)
}

/** A line of the table; null where neither side has any of it. */
const resourceRow = (
  metric: { readonly name: string; readonly text: string; readonly of: Read },
  sides: {
    readonly baseline: readonly StoredSample[]
    readonly candidate: readonly StoredSample[]
  },
): Content => {
  const before = medianMetric(sides.baseline, metric.of)
  const after = medianMetric(sides.candidate, metric.of)
  if ((before ?? 0) === 0 && (after ?? 0) === 0) return null
  const { unit } = metricOf(metric.name)
  const text = (value: number): string => quantityText(value, unit)
  const change = before === null || after === null || before === 0 ? null : after / before - 1
  return html`<tr><th scope="row">${metric.text}</th><td>${figureOr(before, text)}</td><td>${figureOr(after, text)}</td><td>${figureOr(change, changeText)}</td></tr>`
}

/** The metrics of benchmark and engine that any of the samples has. */
const ownMetrics = (samples: readonly StoredSample[]): typeof accounted => {
  const names = new Set<string>()
  for (const { metrics } of samples) for (const name in metrics) names.add(name)
  return [...names]
    .filter(isComparable)
    .sort()
    .map((name) => ({
      name,
      text: name,
      of: ({ metrics }) => metrics[name] ?? null,
    }))
}

/** Medians of everything that was measured beside the judged metric; null without samples. */
export const resourceTable = ({ samples, baseline, row }: PageRow, judged: string): Content => {
  const sides = { baseline: good(samples.baseline), candidate: good(samples.candidate) }
  const all = [...sides.baseline, ...sides.candidate]
  const rows = [...accounted, ...ownMetrics(all)]
    .filter(({ name }) => name !== judged)
    .map((metric) => resourceRow(metric, sides))
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
