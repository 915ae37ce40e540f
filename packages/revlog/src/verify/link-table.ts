/**
 * What changesets and manifests say of files, kept small for millions of them: of each path the
 * changesets that list it, and the file revisions that manifests name with the first changeset that
 * did. Paths are numbered as they come; the rest lies in flat arrays that grow.
 */
import type { ByteString } from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'

/** The end of a list, and what an unknown path has for its number. */
const NONE = -1

const FIRST_ENTRIES = 1_024

/** Where a file revision is named, by changeset; `undefined` where that could not be told. */
export interface NamedRevision {
  readonly node: Uint8Array
  readonly linkRev: number | undefined
}

/** Paths, their changesets, and their revisions. */
export interface LinkTable {
  /** The path's number, given on the first call. */
  pathId(path: ByteString): number
  /** The paths that were numbered, in byte order. */
  sortedPaths(): readonly ByteString[]
  /** A changeset lists the path. */
  addChangeset(pathId: number, rev: number): void
  /** The changesets that list the path, ascending. */
  changesetsOf(pathId: number): readonly number[]
  /** A manifest names a revision of the path; the first one's changeset counts. */
  addNode(pathId: number, node: Uint8Array, linkRev: number | undefined): void
  /** Whether any manifest names a revision of the path. */
  hasNodes(pathId: number): boolean
  /** Notes that the path's own revlog has this revision; false when no manifest names it, or again. */
  takeNode(pathId: number, node: Uint8Array): boolean
  /** The revisions that were not taken, by changeset and node. */
  leftNodes(pathId: number): readonly NamedRevision[]
}

/** A table without anything. */
export function openLinkTable(): LinkTable {
  const ids = new Map<ByteString, number>()
  const changesets = listsByPath()
  const nodes = nodeTable()
  return {
    pathId(path) {
      const known = ids.get(path)
      if (known !== undefined) return known
      ids.set(path, ids.size)
      return ids.size - 1
    },
    sortedPaths: () => [...ids.keys()].sort((a, b) => (a < b ? -1 : 1)),
    addChangeset: (pathId, rev) => {
      changesets.add(pathId, rev)
    },
    changesetsOf: (pathId) => changesets.valuesOf(pathId),
    ...nodes,
  }
}

interface ListsByPath {
  /** Adds a value and gives its place among all. */
  add(pathId: number, value: number): number
  has(pathId: number): boolean
  /** Places of a path's values, the last one first. */
  placesOf(pathId: number): readonly number[]
  /** The values in the order in which they came. */
  valuesOf(pathId: number): readonly number[]
  at(place: number): { readonly pathId: number; readonly value: number }
  readonly length: number
}

/** Lists of numbers, one for each path, in three flat arrays. */
function listsByPath(): ListsByPath {
  let heads = new Int32Array(FIRST_ENTRIES).fill(NONE)
  let entries = new Int32Array(3 * FIRST_ENTRIES)
  let count = 0
  const headOf = (pathId: number): number => heads[pathId] ?? NONE
  const lists: ListsByPath = {
    get length() {
      return count
    },
    add(pathId, value) {
      if (3 * count === entries.length) entries = grown(entries)
      while (pathId >= heads.length) heads = grownWith(heads, NONE)
      entries[3 * count] = headOf(pathId)
      entries[3 * count + 1] = pathId
      entries[3 * count + 2] = value
      heads[pathId] = count
      count += 1
      return count - 1
    },
    has: (pathId) => headOf(pathId) !== NONE,
    placesOf(pathId) {
      const places: number[] = []
      for (let at = headOf(pathId); at !== NONE; at = entries[3 * at] ?? NONE) places.push(at)
      return places
    },
    valuesOf: (pathId) =>
      lists
        .placesOf(pathId)
        .map((at) => entries[3 * at + 2] ?? NONE)
        .reverse(),
    at: (place) => ({
      pathId: entries[3 * place + 1] ?? NONE,
      value: entries[3 * place + 2] ?? NONE,
    }),
  }
  return lists
}

type NodeTable = Pick<LinkTable, 'addNode' | 'hasNodes' | 'takeNode' | 'leftNodes'>

/** File revisions by path and node: open addressing, at most half full; a slot holds place + 1. */
function nodeTable(): NodeTable {
  const lists = listsByPath()
  let slots = new Int32Array(2 * FIRST_ENTRIES)
  let nodes = new Uint8Array(NODE_SIZE * FIRST_ENTRIES)
  let taken = new Uint8Array(FIRST_ENTRIES)
  const sameNode = (place: number, node: Uint8Array): boolean => {
    const start = place * NODE_SIZE
    for (let i = 0; i < NODE_SIZE; i++) if (nodes[start + i] !== node[i]) return false
    return true
  }
  /** The slot that holds the revision, or the empty one where it belongs. */
  const slotOf = (pathId: number, node: Uint8Array): number => {
    const mask = slots.length - 1
    for (let slot = hashOf(pathId, node, 0) & mask; ; slot = (slot + 1) & mask) {
      const place = (slots[slot] ?? 0) - 1
      if (place < 0 || (sameNode(place, node) && lists.at(place).pathId === pathId)) return slot
    }
  }
  const rehash = (): void => {
    slots = new Int32Array(2 * slots.length)
    const mask = slots.length - 1
    for (let place = 0; place < lists.length; place++) {
      let slot = hashOf(lists.at(place).pathId, nodes, place * NODE_SIZE) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = place + 1
    }
  }
  return {
    addNode(pathId, node, linkRev) {
      const slot = slotOf(pathId, node)
      if (slots[slot] !== 0) return
      const place = lists.add(pathId, linkRev ?? NONE)
      if ((place + 1) * NODE_SIZE > nodes.length) nodes = grown(nodes)
      if (place >= taken.length) taken = grown(taken)
      nodes.set(node, place * NODE_SIZE)
      slots[slot] = place + 1
      if (2 * lists.length > slots.length) rehash()
    },
    hasNodes: (pathId) => lists.has(pathId),
    takeNode(pathId, node) {
      const place = (slots[slotOf(pathId, node)] ?? 0) - 1
      if (place < 0 || taken[place] === 1) return false
      taken[place] = 1
      return true
    },
    leftNodes: (pathId) =>
      lists
        .placesOf(pathId)
        .filter((place) => taken[place] !== 1)
        .map((place) => {
          const { value } = lists.at(place)
          const node = nodes.slice(place * NODE_SIZE, (place + 1) * NODE_SIZE)
          return { node, linkRev: value === NONE ? undefined : value }
        })
        .sort(byLinkAndNode),
  }
}

/** Nodes are evenly spread already; the path's number keeps files that share one apart. */
function hashOf(pathId: number, nodes: Uint8Array, at: number): number {
  const word =
    ((nodes[at] ?? 0) << 24) |
    ((nodes[at + 1] ?? 0) << 16) |
    ((nodes[at + 2] ?? 0) << 8) |
    (nodes[at + 3] ?? 0)
  return (word ^ Math.imul(pathId, 0x9e37_79b1)) >>> 0
}

function byLinkAndNode(a: NamedRevision, b: NamedRevision): number {
  return (a.linkRev ?? NONE) - (b.linkRev ?? NONE) || Buffer.compare(a.node, b.node)
}

function grown<Numbers extends Int32Array | Uint8Array>(numbers: Numbers): Numbers
function grown(numbers: Int32Array | Uint8Array): Int32Array | Uint8Array {
  const larger =
    numbers instanceof Int32Array
      ? new Int32Array(2 * numbers.length)
      : new Uint8Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}

function grownWith(numbers: Int32Array, filler: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length).fill(filler)
  larger.set(numbers)
  return larger
}
