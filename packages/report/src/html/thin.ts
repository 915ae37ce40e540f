/**
 * Fewer dots for many samples: of every few samples in a row the lowest and the highest are kept,
 * so that drift, modes and outliers stay to be seen. The caller says that it was done.
 */

/** The most dots of one side of a chart. */
export const mostDots = 120

/** A dot: its round and its value. */
export interface Dot {
  readonly round: number
  readonly value: number
}

const valueAt = (dots: readonly Dot[], at: number): number => dots[at]?.value ?? 0

/** At most `most` dots, in order; all of them if they are no more. */
export const thinned = (dots: readonly Dot[], most: number = mostDots): readonly Dot[] => {
  if (dots.length <= most) return dots
  const size = Math.ceil(dots.length / Math.floor(most / 2))
  const kept: Dot[] = []
  for (let start = 0; start < dots.length; start += size) {
    let [low, high] = [start, start]
    for (let at = start + 1; at < Math.min(start + size, dots.length); at += 1) {
      if (valueAt(dots, at) < valueAt(dots, low)) low = at
      if (valueAt(dots, at) > valueAt(dots, high)) high = at
    }
    kept.push(...dots.slice(Math.min(low, high), Math.min(low, high) + 1))
    if (low !== high) kept.push(...dots.slice(Math.max(low, high), Math.max(low, high) + 1))
  }
  return kept
}
