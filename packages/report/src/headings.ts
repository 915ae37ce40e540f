/**
 * Headings and what they inherit, for the printer and the reader alike: a key stays in force until
 * it is set again, and `benchmark.name` drops the variants of the benchmark before it. A key that
 * goes away otherwise is set to nothing: `# bin-env-vars.hg.flavor =`.
 */
import type { Levels } from '@assay/model'
import { keyText, levelText } from './words.ts'

/** `full` repeats every key above each block, as the tools do; `compact` only what changed, as people do. */
export type HeadingStyle = 'full' | 'compact'

/** The headings in force at a line. */
export type HeadingState = Map<string, string>

const benchmarkKey = 'benchmark.name'
const variantPrefix = 'benchmark.variants.'

/** One heading line; null unsets the key. */
export interface HeadingStep {
  readonly key: string
  readonly level: string | null
}

/** Puts a heading in force. */
export const applyHeading = (state: HeadingState, { key, level }: HeadingStep): void => {
  if (key === benchmarkKey) {
    for (const other of [...state.keys()]) if (other.startsWith(variantPrefix)) state.delete(other)
  }
  if (level === null) state.delete(key)
  else state.set(key, level)
}

const placeOf = (key: string): number => {
  if (key.startsWith('data-env-vars.')) return 0
  if (key === benchmarkKey) return 1
  if (key.startsWith('bin-env-vars.')) return 2
  return key.startsWith(variantPrefix) ? 4 : 3
}

/** Keys in printed order: data, benchmark, binary, anything else, variants; by code unit within. */
export const sortedKeys = (keys: Iterable<string>): string[] =>
  [...keys].sort((left, right) => placeOf(left) - placeOf(right) || (left < right ? -1 : 1))

/** The line of a heading. */
export const headingLine = ({ key, level }: HeadingStep): string => {
  const marks = key.startsWith('data-env-vars.') ? '###' : '#'
  return `${marks} ${keyText(key)} =${level === null ? '' : ` ${levelText(level)}`}`
}

const dropsVariants = (headings: Levels, state: HeadingState): boolean =>
  [...state.keys()].some((key) => key.startsWith(variantPrefix) && !Object.hasOwn(headings, key))

/**
 * The headings to print above a block so that exactly `headings` are in force; `state` is moved on.
 * At least one is printed wherever there are headings, for it is what ends the block before.
 */
export const headingSteps = (
  headings: Levels,
  state: HeadingState,
  style: HeadingStyle,
): HeadingStep[] => {
  const wanted = new Map(Object.entries(headings))
  const renames = dropsVariants(headings, state)
  const steps: HeadingStep[] = []
  const take = (step: HeadingStep): void => {
    applyHeading(state, step)
    steps.push(step)
  }
  for (const key of sortedKeys(new Set([...wanted.keys(), ...state.keys()]))) {
    const level = wanted.get(key) ?? null
    const isRepeated = level !== null && (style === 'full' || (renames && key === benchmarkKey))
    if (isRepeated || level !== (state.get(key) ?? null)) take({ key, level })
  }
  const first = sortedKeys(wanted.keys()).find((key) => key !== benchmarkKey) ?? benchmarkKey
  if (steps.length === 0 && wanted.size > 0) take({ key: first, level: wanted.get(first) ?? null })
  return steps
}
