/**
 * One delta group: revisions of one revlog, each as a delta against something that the receiver has
 * by then. The store's own delta is sent as it is where its base is such a thing.
 */
import { computeDelta, HUNK_HEAD_BYTES } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import { NODE_SIZE, NULL_NODE, NULL_REV } from '../format/constants.ts'
import type { Revlog } from '../reader/revlog.ts'

/** A revision to write. */
export interface GroupRevision {
  readonly rev: number
  readonly linkNode: Uint8Array
}

/** A group to write. */
export interface GroupSource {
  readonly version: '01' | '02'
  readonly revlog: Revlog
  /** In ascending order. */
  readonly revisions: readonly GroupRevision[]
  /** Whether the receiver has a revision of this revlog before the group. */
  readonly isKnown: (rev: number) => boolean
  /** Texts have little in common: version 02 sends each whole, as Mercurial does for changelogs. */
  readonly fullTexts?: boolean
}

/** A chunk on its way: its bytes, and what it is. */
export interface WrittenChunk {
  readonly piece: Uint8Array
  readonly rev: number
  readonly delta: Uint8Array
}

const LENGTH_BYTES = 4

/** The chunks of a group, without the empty one that ends it. */
export function* writeGroup(source: GroupSource): Iterable<WrittenChunk> {
  const { revlog, revisions, version } = source
  const sent = new Set<number>()
  let previous: number | undefined
  for (const { rev, linkNode } of revisions) {
    const { index } = revlog
    if (index.flags(rev) !== 0) {
      throw new RevlogError(
        'unsupported',
        `${index.name}: revision ${rev} has flags, which changegroup ${version} cannot carry`,
      )
    }
    const isThere = (base: number): boolean => sent.has(base) || source.isKnown(base)
    const base = version === '01' ? (previous ?? index.p1(rev)) : chooseBase(source, rev, isThere)
    const delta = deltaAgainst(revlog, rev, base)
    const nodes = [revlog.node(rev), revlog.node(index.p1(rev)), revlog.node(index.p2(rev))]
    if (version === '02') nodes.push(base === NULL_REV ? NULL_NODE : revlog.node(base))
    nodes.push(linkNode)
    yield { piece: joinChunk(nodes, delta), rev, delta }
    sent.add(rev)
    previous = rev
  }
}

/** The base of the stored delta if the receiver has it, else a parent that it has, else nothing. */
function chooseBase(
  { revlog: { index }, fullTexts = false }: GroupSource,
  rev: number,
  isThere: (rev: number) => boolean,
): number {
  if (fullTexts) return NULL_REV
  const stored = storedBase(index, rev)
  if (stored !== NULL_REV && isThere(stored)) return stored
  for (const parent of [index.p1(rev), index.p2(rev)]) {
    if (parent !== NULL_REV && isThere(parent)) return parent
  }
  return NULL_REV
}

/** The revision that the stored chunk is a delta against; -1 for a full text. */
function storedBase(index: Revlog['index'], rev: number): number {
  const base = index.baseRev(rev)
  if (base === rev) return NULL_REV
  return index.generaldelta ? base : rev - 1
}

function deltaAgainst(revlog: Revlog, rev: number, base: number): Uint8Array {
  if (base !== NULL_REV && storedBase(revlog.index, rev) === base) return revlog.chunk(rev)
  if (base === NULL_REV) return wholeAsDelta(revlog.rawText(rev))
  return computeDelta(revlog.rawText(base), revlog.rawText(rev))
}

/** A text as a delta against the empty one. */
function wholeAsDelta(text: Uint8Array): Uint8Array {
  const delta = new Uint8Array(HUNK_HEAD_BYTES + text.length)
  new DataView(delta.buffer).setUint32(8, text.length)
  delta.set(text, HUNK_HEAD_BYTES)
  return delta
}

function joinChunk(nodes: readonly Uint8Array[], delta: Uint8Array): Uint8Array {
  const headBytes = LENGTH_BYTES + nodes.length * NODE_SIZE
  const piece = new Uint8Array(headBytes + delta.length)
  new DataView(piece.buffer).setUint32(0, piece.length)
  nodes.forEach((node, at) => {
    piece.set(node, LENGTH_BYTES + at * NODE_SIZE)
  })
  piece.set(delta, headBytes)
  return piece
}
