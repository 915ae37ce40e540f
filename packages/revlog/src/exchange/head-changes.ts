/**
 * How many heads a change brought, by the way Mercurial counts: heads that are new less those that
 * ended, closed ones left out. Only the revisions from the first one that got a child on are looked
 * at, not the whole history.
 */
import type { GrowingIndex } from '../writer/growing-index.ts'

/** What changed. */
export interface HeadChanges {
  readonly index: GrowingIndex
  /** All revisions from this one on are new. */
  readonly firstNewRev: number
  /** Whether a revision closes its branch. */
  readonly closesBranch: (rev: number) => boolean
}

/** New heads less ended ones; negative when there are fewer than before. */
export function headDifference({ index, firstNewRev, closesBranch }: HeadChanges): number {
  const withChild = new Set<number>()
  for (let rev = firstNewRev; rev < index.length; rev++) {
    withChild.add(index.p1(rev)).add(index.p2(rev))
  }
  let difference = 0
  for (let rev = firstNewRev; rev < index.length; rev++) {
    if (!withChild.has(rev) && !closesBranch(rev)) difference += 1
  }
  // Mercurial counts the null revision as the head of an empty repository.
  if (firstNewRev === 0) return difference - 1
  const oldParents = new Set([...withChild].filter((rev) => rev >= 0 && rev < firstNewRev))
  return difference - formerHeads(index, oldParents, firstNewRev)
}

/** How many of these were heads among the first `end` revisions. */
function formerHeads(index: GrowingIndex, revs: ReadonlySet<number>, end: number): number {
  const heads = new Set(revs)
  for (let rev = Math.min(...revs) + 1; rev < end; rev++) {
    heads.delete(index.p1(rev))
    heads.delete(index.p2(rev))
  }
  return heads.size
}
