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

/** At most `most` dots, in order; all of them if they are no more. */
export const thinned = (dots: readonly Dot[], most: number = mostDots): readonly Dot[] => {
  if (dots.length <= most) return dots
  const size = Math.ceil(dots.length / Math.floor(most / 2))
  const kept: Dot[] = []
  for (let start = 0; start < dots.length; start += size) {
    const bin = dots.slice(start, start + size)
    const low = bin.reduce((least, dot) => (dot.value < least.value ? dot : least))
    const high = bin.reduce((greatest, dot) => (dot.value > greatest.value ? dot : greatest))
    kept.push(...(low === high ? [low] : bin.filter((dot) => dot === low || dot === high)))
  }
  return kept
}
