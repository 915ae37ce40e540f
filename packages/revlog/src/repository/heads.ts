/**
 * The heads of a revlog: the revisions that no other has as a parent. One pass over the index.
 */
import type { RevlogIndex } from '../reader/revlog-index.ts'

/** Revisions without children, in ascending order. */
export function headRevs(index: RevlogIndex): number[] {
  const hasChild = new Uint8Array(index.length)
  for (let rev = 0; rev < index.length; rev++) {
    const p1 = index.p1(rev)
    const p2 = index.p2(rev)
    if (p1 >= 0) hasChild[p1] = 1
    if (p2 >= 0) hasChild[p2] = 1
  }
  const heads: number[] = []
  for (let rev = 0; rev < index.length; rev++) if (hasChild[rev] === 0) heads.push(rev)
  return heads
}
