/**
 * The persistent nodemap's part of a look-up: what it knows, and from which revision on the index
 * itself must be looked through. One that turns out to be damaged is not asked again.
 */
import { RevlogError } from '../errors.ts'
import { NODE_DIGITS, type TrieMatch } from '../nodemap/trie.ts'
import type { RevlogIndex } from './revlog-index.ts'

/** What the nodemap says, and what it says nothing about. */
export interface NodemapAnswer {
  readonly match: TrieMatch
  /** Revisions from this one on are not in the nodemap: all of them where there is none. */
  readonly unknownFrom: number
}

/** Looks for a node, or for a prefix of `digits` digits of one. */
export function askNodemap(
  index: RevlogIndex,
  node: Uint8Array,
  digits = NODE_DIGITS,
): NodemapAnswer {
  const { nodemap } = index
  if (nodemap === undefined) return { match: undefined, unknownFrom: 0 }
  try {
    return { match: nodemap.find(node, digits), unknownFrom: nodemap.length }
  } catch (cause) {
    if (!(cause instanceof RevlogError) || cause.code !== 'corrupt') throw cause
    // As in Mercurial it is a cache: without it the answer takes longer and is the same.
    index.closeNodemap('damaged')
    return { match: undefined, unknownFrom: 0 }
  }
}
