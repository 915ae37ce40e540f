/**
 * Walks over the graph of changesets: ancestors, descendants, what lies between, heads and roots.
 * Sets are lists of revisions; what comes out of a walk is ascending.
 */
import { NULL_REV } from '../format/constants.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'

/** Both parents that a revision has. */
export function parentsOf(index: RevlogIndex, rev: number): readonly number[] {
  if (rev === NULL_REV) return []
  return [index.p1(rev), index.p2(rev)].filter((parent) => parent !== NULL_REV)
}

/** The revisions and all their ancestors. */
export function ancestorsOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const marks = marked(index, revs)
  const found: number[] = []
  for (let rev = index.length - 1; rev >= 0; rev--) {
    if (marks[rev] !== 1) continue
    found.push(rev)
    for (const parent of parentsOf(index, rev)) marks[parent] = 1
  }
  return found.reverse()
}

/** The revisions and all their descendants. */
export function descendantsOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const marks = marked(index, revs)
  const found: number[] = []
  for (let rev = 0; rev < index.length; rev++) {
    if (marks[rev] !== 1 && !parentsOf(index, rev).some((parent) => marks[parent] === 1)) continue
    marks[rev] = 1
    found.push(rev)
  }
  return found
}

/** What is both a descendant of `from` and an ancestor of `to`, ends included. */
export function betweenOf(
  index: RevlogIndex,
  from: readonly number[],
  to: readonly number[],
): number[] {
  const above = new Set(descendantsOf(index, from))
  return ancestorsOf(index, to).filter((rev) => above.has(rev))
}

/** The children of any of the revisions. */
export function childrenOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const marks = marked(index, revs)
  const found: number[] = []
  for (let rev = 0; rev < index.length; rev++) {
    if (parentsOf(index, rev).some((parent) => marks[parent] === 1)) found.push(rev)
  }
  return found
}

/** Those without a child among them. */
export function headsOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const parents = new Set(revs.flatMap((rev) => parentsOf(index, rev)))
  return ascending(revs.filter((rev) => !parents.has(rev)))
}

/** Those without a parent among them. */
export function rootsOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const all = new Set(revs)
  return ascending(revs.filter((rev) => !parentsOf(index, rev).some((parent) => all.has(parent))))
}

/** The revisions in ascending order, each once. */
export function ascending(revs: readonly number[]): number[] {
  return [...new Set(revs)].sort((a, b) => a - b)
}

function marked(index: RevlogIndex, revs: readonly number[]): Uint8Array {
  const marks = new Uint8Array(index.length)
  for (const rev of revs) if (rev !== NULL_REV) marks[rev] = 1
  return marks
}
