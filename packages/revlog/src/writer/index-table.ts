/**
 * The index of a revlog that is being written: all entries side by side in memory (64 bytes each,
 * a million revisions are 64 MB), a hash table from node to revision, and what the choice of a delta
 * needs to know about chains. How entries lie in a file is left to revlog-files.ts.
 */
import { ENTRY_SIZE, NODE_SIZE, NULL_NODE, NULL_REV } from '../format/constants.ts'
import { FIELD, type IndexEntry, serializeIndexEntry } from '../format/index-entry.ts'
import { type DeltaIndex, NOT_A_SNAPSHOT } from './delta-index.ts'

const FIRST_ENTRIES = 16

/** Entries of one revlog, appended and looked up. */
export class IndexTable implements DeltaIndex {
  readonly generaldelta: boolean
  #count = 0
  #bytes = new Uint8Array(0)
  #view = new DataView(this.#bytes.buffer)
  #slots: Int32Array = new Int32Array(0)
  #chainStarts: Int32Array = new Int32Array(0)
  #chainLengths: Int32Array = new Int32Array(0)
  #chainBytes: Float64Array = new Float64Array(0)
  #depths: Int8Array = new Int8Array(0)

  constructor(generaldelta: boolean) {
    this.generaldelta = generaldelta
  }

  /** Number of revisions. */
  get length(): number {
    return this.#count
  }

  /** Where the next chunk goes in the data stream: the bytes of all chunks so far. */
  get dataLength(): number {
    const last = this.#count - 1
    return last < 0 ? 0 : this.offset(last) + this.compressedLength(last)
  }

  /** Adds an entry and gives its revision. Throws `too-large` for what the format cannot hold. */
  append(entry: IndexEntry): number {
    const rev = this.#count
    this.#reserve(rev + 1)
    this.#bytes.set(serializeIndexEntry(entry), rev * ENTRY_SIZE)
    this.#count += 1
    this.#noteChain(rev)
    this.#insert(rev)
    return rev
  }

  offset(rev: number): number {
    const at = rev * ENTRY_SIZE
    return this.#view.getUint32(at) * 0x1_0000 + this.#view.getUint16(at + FIELD.offsetLow)
  }

  compressedLength(rev: number): number {
    return this.#view.getInt32(rev * ENTRY_SIZE + FIELD.compressedLength)
  }

  uncompressedLength(rev: number): number {
    return this.#view.getInt32(rev * ENTRY_SIZE + FIELD.uncompressedLength)
  }

  baseRev(rev: number): number {
    return this.#view.getInt32(rev * ENTRY_SIZE + FIELD.baseRev)
  }

  linkRev(rev: number): number {
    return this.#view.getInt32(rev * ENTRY_SIZE + FIELD.linkRev)
  }

  p1(rev: number): number {
    return this.#view.getInt32(rev * ENTRY_SIZE + FIELD.p1)
  }

  p2(rev: number): number {
    return this.#view.getInt32(rev * ENTRY_SIZE + FIELD.p2)
  }

  /** The node as a copy; the null node for -1. */
  node(rev: number): Uint8Array {
    if (rev === NULL_REV) return NULL_NODE
    const at = rev * ENTRY_SIZE + FIELD.node
    return this.#bytes.slice(at, at + NODE_SIZE)
  }

  /** The revision whose text a revision's delta is against; itself for a full text, -1 for none. */
  deltaParent(rev: number): number {
    const base = this.baseRev(rev)
    return base === rev || this.generaldelta ? base : rev - 1
  }

  /** The first revision of the delta chain. */
  chainStart(rev: number): number {
    return this.#chainStarts[rev] ?? rev
  }

  /** Deltas between the chain's full text and the revision. */
  chainLength(rev: number): number {
    return this.#chainLengths[rev] ?? 0
  }

  /** Stored bytes of the whole chain. */
  chainBytes(rev: number): number {
    return this.#chainBytes[rev] ?? 0
  }

  /** 0 for a full text, 1 and more for an intermediate snapshot, else NOT_A_SNAPSHOT. */
  snapshotDepth(rev: number): number {
    return this.#depths[rev] ?? NOT_A_SNAPSHOT
  }

  /** The revision of a node: -1 for the null node, undefined when it is not here. */
  findRev(node: Uint8Array): number | undefined {
    if (Buffer.compare(node, NULL_NODE) === 0) return NULL_REV
    if (this.#count === 0) return undefined
    const mask = this.#slots.length - 1
    for (let slot = wordOf(node) & mask; ; slot = (slot + 1) & mask) {
      const rev = this.#slots[slot] ?? -1
      if (rev === -1) return undefined
      if (this.#sameNode(rev, node)) return rev
    }
  }

  /** Entries first..end (exclusive) as they lie in memory: a view until the next append. */
  entries(first: number, end: number): Uint8Array {
    return this.#bytes.subarray(first * ENTRY_SIZE, end * ENTRY_SIZE)
  }

  #sameNode(rev: number, node: Uint8Array): boolean {
    const at = rev * ENTRY_SIZE + FIELD.node
    for (let i = 0; i < NODE_SIZE; i += 1) if (this.#bytes[at + i] !== node[i]) return false
    return true
  }

  #noteChain(rev: number): void {
    const stored = this.compressedLength(rev)
    const parent = this.deltaParent(rev)
    const starts = parent === rev || parent === NULL_REV
    this.#chainStarts[rev] = starts ? rev : this.chainStart(parent)
    this.#chainLengths[rev] = starts ? 0 : this.chainLength(parent) + 1
    this.#chainBytes[rev] = stored + (starts ? 0 : this.chainBytes(parent))
    this.#depths[rev] = this.#depthOf(rev, parent)
  }

  #depthOf(rev: number, parent: number): number {
    if (parent === rev || parent === NULL_REV) return 0
    if (parent === this.p1(rev) || parent === this.p2(rev)) return NOT_A_SNAPSHOT
    const depth = this.snapshotDepth(parent)
    return depth === NOT_A_SNAPSHOT ? NOT_A_SNAPSHOT : Math.min(127, depth + 1)
  }

  #insert(rev: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#view.getInt32(rev * ENTRY_SIZE + FIELD.node) & mask
    while (this.#slots[slot] !== -1) slot = (slot + 1) & mask
    this.#slots[slot] = rev
  }

  #reserve(count: number): void {
    if (count * ENTRY_SIZE > this.#bytes.length) this.#grow(Math.max(FIRST_ENTRIES, count * 2))
    if (count * 2 > this.#slots.length) {
      this.#slots = new Int32Array(Math.max(2 * FIRST_ENTRIES, this.#slots.length * 2)).fill(-1)
      for (let rev = 0; rev < this.#count; rev += 1) this.#insert(rev)
    }
  }

  #grow(entries: number): void {
    const old = this.#bytes
    this.#bytes = new Uint8Array(entries * ENTRY_SIZE)
    this.#bytes.set(old)
    this.#view = new DataView(this.#bytes.buffer)
    this.#chainStarts = grown(new Int32Array(entries), this.#chainStarts)
    this.#chainLengths = grown(new Int32Array(entries), this.#chainLengths)
    this.#chainBytes = grown(new Float64Array(entries), this.#chainBytes)
    this.#depths = grown(new Int8Array(entries), this.#depths)
  }
}

function grown<Numbers extends Int8Array | Int32Array | Float64Array>(
  larger: Numbers,
  old: Numbers,
): Numbers {
  larger.set(old)
  return larger
}

function wordOf(node: Uint8Array): number {
  return ((node[0] ?? 0) << 24) | ((node[1] ?? 0) << 16) | ((node[2] ?? 0) << 8) | (node[3] ?? 0)
}
