/**
 * Many nodes looked for in one pass over an index, from its end, where most of what is asked for is.
 * For a handful of nodes among a million revisions that nobody will ask again: no table is built. Of
 * an index with a persistent nodemap, only what that does not know is passed over.
 */
import { NODE_SIZE } from '../format/constants.ts'
import { askNodemap } from './ask-nodemap.ts'
import type { RevlogIndex } from './revlog-index.ts'

/** Bits of a node that the first sieve looks at. */
const SIEVE_BITS = 16

/** Tells the revision of each node that is there; ends early once all are found. */
export function findNodes(
  index: RevlogIndex,
  nodes: readonly Uint8Array[],
  onFound: (node: Uint8Array, rev: number) => void,
): void {
  if (nodes.length === 0) return
  const missing: Uint8Array[] = []
  let from = 0
  for (const node of nodes) {
    const { match, unknownFrom } = askNodemap(index, node)
    from = unknownFrom
    if (typeof match === 'number') onFound(node, match)
    else missing.push(node)
  }
  // A nodemap that proved damaged on the way makes all of the index unknown again.
  passOver({ index, from }, missing, onFound)
}

function passOver(
  { index, from }: { readonly index: RevlogIndex; readonly from: number },
  nodes: readonly Uint8Array[],
  onFound: (node: Uint8Array, rev: number) => void,
): void {
  if (nodes.length === 0 || from === index.length) return
  const sieve = new Uint8Array(2 ** SIEVE_BITS)
  const byWord = new Map<number, Uint8Array[]>()
  for (const node of nodes) {
    const word = wordOf(node)
    sieve[word >>> (32 - SIEVE_BITS)] = 1
    const same = byWord.get(word)
    if (same === undefined) byWord.set(word, [node])
    else same.push(node)
  }
  const candidate = new Uint8Array(NODE_SIZE)
  let missing = nodes.length
  for (let rev = index.length - 1; rev >= from && missing > 0; rev--) {
    const word = index.nodeWord(rev)
    if (sieve[word >>> (32 - SIEVE_BITS)] === 0) continue
    for (const node of byWord.get(word) ?? []) {
      index.copyNode(rev, candidate, 0)
      if (Buffer.compare(candidate, node) !== 0) continue
      onFound(node, rev)
      missing -= 1
    }
  }
}

function wordOf(node: Uint8Array): number {
  return (
    (((node[0] ?? 0) << 24) | ((node[1] ?? 0) << 16) | ((node[2] ?? 0) << 8) | (node[3] ?? 0)) >>> 0
  )
}
