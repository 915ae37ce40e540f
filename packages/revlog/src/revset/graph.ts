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
    markParents(index, rev, marks)
  }
  return found.reverse()
}

/** The revisions and all their descendants. */
export function descendantsOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const marks = marked(index, revs)
  const found: number[] = []
  for (let rev = 0; rev < index.length; rev++) {
    if (marks[rev] !== 1 && !hasMarkedParent(index, rev, marks)) continue
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
  const above = marked(index, descendantsOf(index, from))
  return ancestorsOf(index, to).filter((rev) => above[rev] === 1)
}

/** The children of any of the revisions. */
export function childrenOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const marks = marked(index, revs)
  const found: number[] = []
  for (let rev = 0; rev < index.length; rev++) {
    if (hasMarkedParent(index, rev, marks)) found.push(rev)
  }
  return found
}

/** Those without a child among them. */
export function headsOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const parents = new Uint8Array(index.length)
  for (const rev of revs) markParents(index, rev, parents)
  return ascending(revs.filter((rev) => parents[rev] !== 1))
}

/** Those without a parent among them. */
export function rootsOf(index: RevlogIndex, revs: readonly number[]): number[] {
  const all = marked(index, revs)
  return ascending(revs.filter((rev) => !hasMarkedParent(index, rev, all)))
}

/** The revisions in ascending order, each once. */
export function ascending(revs: readonly number[]): number[] {
  const isSorted = revs.every((rev, at) => at === 0 || (revs[at - 1] ?? rev) < rev)
  return isSorted ? [...revs] : [...new Set(revs)].sort((a, b) => a - b)
}

/** A byte for each revision, 1 for those given: a million of them fit where a set would not. */
function marked(index: RevlogIndex, revs: readonly number[]): Uint8Array {
  const marks = new Uint8Array(index.length)
  for (const rev of revs) if (rev !== NULL_REV) marks[rev] = 1
  return marks
}

function markParents(index: RevlogIndex, rev: number, marks: Uint8Array): void {
  if (rev === NULL_REV) return
  const [p1, p2] = [index.p1(rev), index.p2(rev)]
  if (p1 !== NULL_REV) marks[p1] = 1
  if (p2 !== NULL_REV) marks[p2] = 1
}

function hasMarkedParent(index: RevlogIndex, rev: number, marks: Uint8Array): boolean {
  if (rev === NULL_REV) return false
  return marks[index.p1(rev)] === 1 || marks[index.p2(rev)] === 1
}
