/**
 * What one repository has and another lacks, where both can be asked at will: from the heads down to
 * the first changesets that the other knows. The work is that of the difference, not of the history.
 */
import { NULL_REV } from '../format/constants.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'
import { findOutgoing, type Outgoing } from './outgoing.ts'

/** Where to look. */
export interface MissingChangesetsOptions {
  readonly index: RevlogIndex
  /** Only their ancestors, themselves included, are looked at. */
  readonly heads: readonly number[]
  /** Whether the other side has a changeset, and with it all its ancestors. */
  readonly isThere: (rev: number) => boolean
}

/** The changesets that the other side lacks. */
export function missingChangesets({ index, heads, isThere }: MissingChangesetsOptions): Outgoing {
  const bases: number[] = []
  const seen = new Set<number>()
  const waiting = [...heads]
  for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
    if (rev === NULL_REV || seen.has(rev)) continue
    seen.add(rev)
    if (isThere(rev)) bases.push(rev)
    else waiting.push(index.p1(rev), index.p2(rev))
  }
  return findOutgoing(index, { bases, heads })
}
