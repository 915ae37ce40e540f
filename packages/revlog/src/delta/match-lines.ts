/**
 * Which lines of one text are kept in another: common ends first, then lines that are unique in
 * both as anchors (the longest increasing run of them), and Myers' algorithm where no anchor is
 * left. The order of magnitude stays linear for the texts that revlogs hold; where the exact
 * answer would cost too much, the lines count as changed.
 */
import type { InternedPair } from './intern-lines.ts'
import { matchByMyers } from './myers.ts'

/** A half-open range of lines in both texts. */
export interface LineRange {
  readonly aFrom: number
  readonly aTo: number
  readonly bFrom: number
  readonly bTo: number
}

/** For each line of b, the line of a that it keeps, or -1. Kept lines are in order in both. */
export function matchLines(pair: InternedPair): Int32Array {
  const matcher = {
    aIds: pair.a.ids,
    bIds: pair.b.ids,
    kept: new Int32Array(pair.b.ids.length).fill(-1),
    occurrences: new Occurrences(pair.distinct),
  }
  const open: LineRange[] = [{ aFrom: 0, aTo: pair.a.ids.length, bFrom: 0, bTo: pair.b.ids.length }]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    open.push(...matchRange(matcher, range))
  }
  return matcher.kept
}

interface Matcher {
  readonly aIds: Int32Array
  readonly bIds: Int32Array
  readonly kept: Int32Array
  readonly occurrences: Occurrences
}

/** Matches what can be matched in a range and gives the gaps that are still open. */
function matchRange(matcher: Matcher, range: LineRange): readonly LineRange[] {
  const rest = matchEnds(matcher, range)
  if (rest.aFrom === rest.aTo || rest.bFrom === rest.bTo) return []
  const anchors = longestIncreasing(matcher.occurrences.uniqueInBoth(matcher, rest))
  if (anchors.length === 0) {
    matchByMyers(matcher, rest)
    return []
  }
  const gaps: LineRange[] = []
  let { aFrom, bFrom } = rest
  for (const { a, b } of anchors) {
    matcher.kept[b] = a
    if (a > aFrom && b > bFrom) gaps.push({ aFrom, aTo: a, bFrom, bTo: b })
    aFrom = a + 1
    bFrom = b + 1
  }
  if (aFrom < rest.aTo && bFrom < rest.bTo) {
    gaps.push({ aFrom, aTo: rest.aTo, bFrom, bTo: rest.bTo })
  }
  return gaps
}

/** Matches equal lines at both ends of the range and gives what is left between. */
function matchEnds(matcher: Matcher, range: LineRange): LineRange {
  const { aIds, bIds, kept } = matcher
  let { aFrom, aTo, bFrom, bTo } = range
  while (aFrom < aTo && bFrom < bTo && aIds[aFrom] === bIds[bFrom]) {
    kept[bFrom] = aFrom
    aFrom += 1
    bFrom += 1
  }
  while (aFrom < aTo && bFrom < bTo && aIds[aTo - 1] === bIds[bTo - 1]) {
    aTo -= 1
    bTo -= 1
    kept[bTo] = aTo
  }
  return { aFrom, aTo, bFrom, bTo }
}

interface Anchor {
  readonly a: number
  readonly b: number
}

/** Counts of line numbers in a range; cleaned after each use so that its memory is reused. */
class Occurrences {
  readonly #inA: Int32Array
  readonly #inB: Int32Array
  readonly #lineOfA: Int32Array

  constructor(distinct: number) {
    this.#inA = new Int32Array(distinct)
    this.#inB = new Int32Array(distinct)
    this.#lineOfA = new Int32Array(distinct)
  }

  /** Lines that occur once in a's range and once in b's, in b's order. */
  uniqueInBoth(matcher: Matcher, range: LineRange): readonly Anchor[] {
    const { aIds, bIds } = matcher
    for (let a = range.aFrom; a < range.aTo; a += 1) {
      const id = aIds[a] ?? 0
      this.#inA[id] = (this.#inA[id] ?? 0) + 1
      this.#lineOfA[id] = a
    }
    for (let b = range.bFrom; b < range.bTo; b += 1) {
      const id = bIds[b] ?? 0
      this.#inB[id] = (this.#inB[id] ?? 0) + 1
    }
    const anchors: Anchor[] = []
    for (let b = range.bFrom; b < range.bTo; b += 1) {
      const id = bIds[b] ?? 0
      if (this.#inA[id] === 1 && this.#inB[id] === 1) {
        anchors.push({ a: this.#lineOfA[id] ?? 0, b })
      }
    }
    for (let a = range.aFrom; a < range.aTo; a += 1) this.#inA[aIds[a] ?? 0] = 0
    for (let b = range.bFrom; b < range.bTo; b += 1) this.#inB[bIds[b] ?? 0] = 0
    return anchors
  }
}

/** The longest run of anchors whose lines increase in a as they do in b. */
function longestIncreasing(anchors: readonly Anchor[]): readonly Anchor[] {
  const tails: number[] = []
  const before = new Int32Array(anchors.length)
  for (const [at, { a }] of anchors.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((anchors[tails[middle] ?? 0]?.a ?? 0) < a) low = middle + 1
      else high = middle
    }
    before[at] = low === 0 ? -1 : (tails[low - 1] ?? -1)
    tails[low] = at
  }
  const run: Anchor[] = []
  for (let at = tails.at(-1) ?? -1; at !== -1; at = before[at] ?? -1) {
    const anchor = anchors[at]
    if (anchor !== undefined) run.push(anchor)
  }
  return run.reverse()
}
