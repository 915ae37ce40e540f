/**
 * Which changesets a receiver lacks: the ancestors of some heads that are no ancestors of what it
 * has. One walk down the changelog's index that goes no further than somebody asks.
 */
import { NULL_REV } from '../format/constants.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'

/** What is to be sent. */
export interface Outgoing {
  /** Changelog revisions in ascending order. */
  readonly revs: readonly number[]
  /** Whether the receiver has a changelog revision. */
  isKnown(rev: number): boolean
}

/** Where an outgoing set lies: between these revisions, -1 being no revision. */
export interface OutgoingBounds {
  /** Revisions that the receiver has, with all their ancestors. */
  readonly bases: Iterable<number>
  /** Revisions that it shall have. */
  readonly heads: Iterable<number>
}

const KNOWN = 1
const WANTED = 2

/** The ancestors of `heads` (inclusive) that are no ancestors of `bases`. */
export function findOutgoing(index: RevlogIndex, { bases, heads }: OutgoingBounds): Outgoing {
  const marks = new Uint8Array(index.length)
  let wanted = 0
  const mark = (rev: number, bit: number): void => {
    if (rev === NULL_REV) return
    const before = marks[rev] ?? 0
    const after = before | bit
    marks[rev] = after
    wanted += Number(after === WANTED) - Number(before === WANTED)
  }
  for (const rev of bases) mark(rev, KNOWN)
  for (const rev of heads) mark(rev, WANTED)
  let at = index.length
  const revs: number[] = []
  const step = (): void => {
    at--
    const bits = marks[at] ?? 0
    if (bits === 0) return
    const bit = (bits & KNOWN) === 0 ? WANTED : KNOWN
    if (bit === WANTED) {
      wanted--
      revs.push(at)
    }
    mark(index.p1(at), bit)
    mark(index.p2(at), bit)
  }
  while (wanted > 0) step()
  revs.reverse()
  return {
    revs,
    isKnown(rev) {
      while (at > rev) step()
      return ((marks[rev] ?? 0) & KNOWN) !== 0
    },
  }
}
