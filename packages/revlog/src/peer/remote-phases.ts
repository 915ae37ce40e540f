/**
 * Phases of a remote repository, as it tells them: roots of drafts, and whether it publishes; worked
 * out for the changesets that both have. Source: `hg help phases`, `internals.wireprotocol`.
 */
import { headsAmong } from '../discovery/discover.ts'
import { locateNodes } from '../discovery/locate-nodes.ts'
import type { ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'

/** Which of the common changesets are drafts at the remote. */
export interface RemotePhases {
  readonly publishing: boolean
  /** Heads of the common changesets that are public there, ascending. */
  readonly publicHeads: readonly number[]
  /** Heads of those that are drafts there, ascending. */
  readonly draftHeads: readonly number[]
  isDraft(rev: number): boolean
}

/** Works out what the keys of the space `phases` say about the ancestors of `commonHeads`. */
export function remotePhases(
  index: RevlogIndex,
  keys: ReadonlyMap<ByteString, ByteString>,
  commonHeads: readonly number[],
): RemotePhases {
  const publishing = keys.get('publishing') === 'True'
  const roots = [...keys].filter(([, value]) => value === '1').map(([key]) => key)
  const located = locateNodes(
    index,
    roots.filter((key) => /^[0-9a-f]{40}$/.test(key)),
  )
  const known = located.filter((rev) => rev !== undefined).filter((rev) => rev !== NULL_REV)
  const isDraft = descendantsOf(index, new Set(known), Math.max(NULL_REV, ...commonHeads))
  const publicRevs = new Set<number>()
  const seen = new Set<number>()
  const waiting = [...commonHeads]
  for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
    if (rev === NULL_REV || seen.has(rev)) continue
    seen.add(rev)
    if (isDraft(rev)) waiting.push(index.p1(rev), index.p2(rev))
    else publicRevs.add(rev)
  }
  return {
    publishing,
    isDraft,
    publicHeads: headsAmong(index, publicRevs),
    draftHeads: commonHeads.filter(isDraft),
  }
}

/** Tells of revisions up to `last` whether one of the roots is among their ancestors, or they are one. */
function descendantsOf(
  index: RevlogIndex,
  roots: ReadonlySet<number>,
  last: number,
): (rev: number) => boolean {
  if (roots.size === 0) return () => false
  const first = Math.min(...roots)
  const marks = new Uint8Array(Math.max(0, last - first + 1))
  const isMarked = (rev: number): boolean => rev >= first && marks[rev - first] === 1
  for (let rev = first; rev <= last; rev++) {
    if (roots.has(rev) || isMarked(index.p1(rev)) || isMarked(index.p2(rev))) marks[rev - first] = 1
  }
  return isMarked
}
