/**
 * The settings of perf commands, by the names of Mercurial's perf extension (section `perf`). What
 * is malformed is said and skipped, as there.
 */
import { RevlogError } from '../errors.ts'
import type { RunLimit } from './measure-runs.ts'

/** How perf commands measure. */
export interface PerfSettings {
  /** Seconds of rest before each step, against power management. */
  readonly presleepSeconds: number
  /** Run each step once and print no times. */
  readonly stub: boolean
  readonly preRuns: number
  readonly limits: readonly RunLimit[]
  /** Print the longest, mean and median run too. */
  readonly allTiming: boolean
}

/** At least 3 s and 100 runs, or 10 s and 3 runs. */
const DEFAULT_LIMITS: readonly RunLimit[] = [
  { seconds: 3, runs: 100 },
  { seconds: 10, runs: 3 },
]

/** Settings from `perf.NAME` values; `warn` is told what is skipped. Throws `usage`. */
export function perfSettings(
  config: ReadonlyMap<string, string>,
  warn: (text: string) => void,
): PerfSettings {
  return {
    presleepSeconds: numberOf(config, 'presleep', 1),
    stub: booleanOf(config, 'stub', false),
    preRuns: numberOf(config, 'pre-run', 0),
    limits: limitsOf(config.get('perf.run-limits'), warn),
    allTiming: booleanOf(config, 'all-timing', false),
  }
}

function limitsOf(text: string | undefined, warn: (text: string) => void): readonly RunLimit[] {
  const limits: RunLimit[] = []
  for (const item of (text ?? '').split(/[\s,]+/)) {
    if (item === '') continue
    if (!item.includes('-')) {
      warn(`malformatted run limit entry, missing "-": ${item}\n`)
      continue
    }
    const [, seconds, runs] = /^([\d.]+)-(\d+)$/.exec(item) ?? []
    if (seconds === undefined || Number.isNaN(Number(seconds))) {
      warn(`malformatted run limit entry: ${item}\n`)
    } else {
      limits.push({ seconds: Number(seconds), runs: Number(runs) })
    }
  }
  return limits.length === 0 ? DEFAULT_LIMITS : limits
}

function numberOf(config: ReadonlyMap<string, string>, name: string, fallback: number): number {
  const text = config.get(`perf.${name}`)
  if (text === undefined) return fallback
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  throw new RevlogError('usage', `perf.${name} is not a valid number ('${text}')`)
}

/** Mercurial's words for yes and no. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'yes', 'true', 'on', 'always'].map((word) => [word, true] as const),
  ...['0', 'no', 'false', 'off', 'never'].map((word) => [word, false] as const),
])

function booleanOf(config: ReadonlyMap<string, string>, name: string, fallback: boolean): boolean {
  const text = config.get(`perf.${name}`)
  if (text === undefined) return fallback
  const value = BOOLEANS.get(text.toLowerCase())
  if (value !== undefined) return value
  throw new RevlogError('usage', `perf.${name} is not a boolean ('${text}')`)
}
