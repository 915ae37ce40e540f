/**
 * The chain of chunks that make up a revision's text: a full text and the deltas after it. Bases are
 * checked to go strictly down, so that a damaged index cannot make it walk for ever.
 */
import { NULL_REV } from '../format/constants.ts'
import type { RevlogIndex } from './revlog-index.ts'

/** The chunks that make a text, first one first. */
export interface DeltaChain {
  readonly revs: readonly number[]
  /**
   * What the first chunk is: a full text, a delta against the empty text (base -1), or a delta
   * against the text of the revision that the walk was told to stop at.
   */
  readonly start: 'full' | 'against-null' | 'against-known'
}

/** The chain of `rev`, walked down to a full text or to `knownRev`, whose text the caller has. */
export function deltaChain(index: RevlogIndex, rev: number, knownRev: number): DeltaChain {
  return index.generaldelta
    ? generaldeltaChain(index, rev, knownRev)
    : linearChain(index, rev, knownRev)
}

function generaldeltaChain(index: RevlogIndex, rev: number, knownRev: number): DeltaChain {
  const revs: number[] = []
  let current = rev
  for (;;) {
    if (current === knownRev) return { revs: revs.reverse(), start: 'against-known' }
    revs.push(current)
    const base = index.baseRev(current)
    if (base === current) return { revs: revs.reverse(), start: 'full' }
    if (base === NULL_REV) return { revs: revs.reverse(), start: 'against-null' }
    if (base > current || base < NULL_REV) {
      throw index.corruptEntry(current, `its delta base is ${base}`)
    }
    current = base
  }
}

/** Without generaldelta, base is the chain's start and each delta is against the revision before. */
function linearChain(index: RevlogIndex, rev: number, knownRev: number): DeltaChain {
  const base = index.baseRev(rev)
  if (base < 0 || base > rev) throw index.corruptEntry(rev, `its delta base is ${base}`)
  const known = knownRev >= base && knownRev <= rev
  const revs: number[] = []
  for (let current = known ? knownRev + 1 : base; current <= rev; current++) revs.push(current)
  return { revs, start: known ? 'against-known' : 'full' }
}
