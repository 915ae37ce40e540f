/**
 * The times of a step as Mercurial's perf extension prints them: lines of text, or a JSON list with
 * one object. Numbers in JSON are written as Python writes them.
 */
import type { Timing } from './measure-runs.ts'

/** What was measured of one step. */
export interface StepTimings {
  /** Undefined where the command has one step only. */
  readonly title: string | undefined
  /** The shortest first; at least one. */
  readonly timings: readonly Timing[]
}

/** A number that stands for all runs. */
interface Figure {
  /** Empty for the best, which is printed without. */
  readonly name: string
  readonly timing: Timing
}

/** Lines `! wall 0.346603 comb 0.350000 user 0.340000 sys 0.010000 (best of 28)`. */
export function timingText({ title, timings }: StepTimings, all: boolean): string {
  const lines = title === undefined ? [] : [`! ${title}\n`]
  for (const { name, timing } of figures(timings, all)) {
    const { wallSeconds, userSeconds, systemSeconds } = timing
    const times = [
      `wall ${wallSeconds.toFixed(6)}`,
      `comb ${(userSeconds + systemSeconds).toFixed(6)}`,
      `user ${userSeconds.toFixed(6)}`,
      `sys ${systemSeconds.toFixed(6)}`,
    ]
    lines.push(`! ${times.join(' ')} (${name || 'best'} of ${timings.length})\n`)
  }
  return lines.join('')
}

/** The same as JSON. */
export function timingJson({ title, timings }: StepTimings, all: boolean): string {
  const items: [string, string][] = title === undefined ? [] : [['title', JSON.stringify(title)]]
  for (const { name, timing } of figures(timings, all)) {
    const prefix = name === '' ? '' : `${name}.`
    const { wallSeconds, userSeconds, systemSeconds } = timing
    items.push(
      [`${prefix}wall`, pythonFloat(wallSeconds)],
      [`${prefix}comb`, pythonFloat(userSeconds + systemSeconds)],
      [`${prefix}user`, pythonFloat(userSeconds)],
      [`${prefix}sys`, pythonFloat(systemSeconds)],
      [`${prefix}count`, `${timings.length}`],
    )
  }
  items.sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = items.map(([key, value]) => `  "${key}": ${value}`)
  return `[\n {\n${lines.join(',\n')}\n }\n]\n`
}

/** What JSON output is for a step that was run without being measured. */
export const NO_TIMING_JSON = '[\n]\n'

function figures(timings: readonly Timing[], all: boolean): Figure[] {
  const best = timings[0]
  const worst = timings.at(-1)
  const middle = timings[timings.length >>> 1]
  if (best === undefined || worst === undefined || middle === undefined) return []
  const found = [{ name: '', timing: best }]
  if (!all) return found
  return [
    ...found,
    { name: 'max', timing: worst },
    { name: 'avg', timing: average(timings) },
    { name: 'median', timing: middle },
  ]
}

function average(timings: readonly Timing[]): Timing {
  const mean = (of: (timing: Timing) => number): number =>
    timings.reduce((sum, timing) => sum + of(timing), 0) / timings.length
  return {
    wallSeconds: mean((timing) => timing.wallSeconds),
    userSeconds: mean((timing) => timing.userSeconds),
    systemSeconds: mean((timing) => timing.systemSeconds),
  }
}

/** Python's repr of a float: a point or an exponent in every number, exponents from 1e-5 down. */
function pythonFloat(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-4) {
    return value.toExponential().replace(/e-(\d)$/, 'e-0$1')
  }
  return Number.isInteger(value) ? `${value}.0` : `${value}`
}
