/**
 * The index of a revlog that grows by a few revisions: the old entries stay where they are, read or
 * mapped, and are looked at where they matter; only the new ones are held here. This is what makes
 * adding one revision to a million cheap; RevlogWriter, which makes whole repositories, holds all.
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString, hexOf } from '../format/byte-string.ts'
import { ENTRY_SIZE, NODE_SIZE, NULL_NODE, NULL_REV } from '../format/constants.ts'
import { FIELD, type IndexEntry, serializeIndexEntry } from '../format/index-entry.ts'
import { findNodes } from '../reader/find-nodes.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'
import { type DeltaIndex, NOT_A_SNAPSHOT } from './delta-index.ts'

const FIRST_ENTRIES = 8

/** What is remembered of chains is forgotten when it has grown to this many revisions. */
const MAX_CHAIN_FACTS = 100_000

interface ChainFacts {
  readonly start: number
  readonly length: number
  readonly bytes: number
  readonly depth: number
}

/** An old index and what is appended to it. */
export class GrowingIndex implements DeltaIndex {
  readonly generaldelta: boolean
  readonly old: RevlogIndex
  /** Revisions that were here before. */
  readonly oldLength: number
  #added = 0
  #bytes = new Uint8Array(FIRST_ENTRIES * ENTRY_SIZE)
  #view = new DataView(this.#bytes.buffer)
  readonly #addedRevs = new Map<ByteString, number>()
  /** Nodes that were looked for in the old index, with their revisions; undefined: not there. */
  #located = new Map<ByteString, number | undefined>()
  readonly #chains = new Map<number, ChainFacts>()

  constructor(old: RevlogIndex, generaldeltaIfNew: boolean) {
    this.old = old
    this.oldLength = old.length
    this.generaldelta = old.header === undefined ? generaldeltaIfNew : old.generaldelta
  }

  get length(): number {
    return this.oldLength + this.#added
  }

  get dataLength(): number {
    return this.#dataEnd(this.length - 1)
  }

  /** Bytes of the old chunks. */
  get oldDataLength(): number {
    return this.#dataEnd(this.oldLength - 1)
  }

  /** Adds an entry and gives its revision. Throws `too-large` for what the format cannot hold. */
  append(entry: IndexEntry): number {
    const rev = this.length
    const at = this.#added * ENTRY_SIZE
    if (at === this.#bytes.length) this.#grow()
    this.#bytes.set(serializeIndexEntry(entry), at)
    this.#added += 1
    this.#addedRevs.set(byteString(entry.node), rev)
    return rev
  }

  offset(rev: number): number {
    if (rev < this.oldLength) return this.old.offset(rev)
    const at = this.#at(rev)
    return this.#view.getUint32(at) * 0x1_0000 + this.#view.getUint16(at + FIELD.offsetLow)
  }

  compressedLength(rev: number): number {
    if (rev < this.oldLength) return this.old.compressedLength(rev)
    return this.#view.getInt32(this.#at(rev) + FIELD.compressedLength)
  }

  uncompressedLength(rev: number): number {
    if (rev < this.oldLength) return this.old.uncompressedLength(rev)
    return this.#view.getInt32(this.#at(rev) + FIELD.uncompressedLength)
  }

  baseRev(rev: number): number {
    if (rev < this.oldLength) return this.old.baseRev(rev)
    return this.#view.getInt32(this.#at(rev) + FIELD.baseRev)
  }

  p1(rev: number): number {
    if (rev < this.oldLength) return this.old.p1(rev)
    return this.#view.getInt32(this.#at(rev) + FIELD.p1)
  }

  p2(rev: number): number {
    if (rev < this.oldLength) return this.old.p2(rev)
    return this.#view.getInt32(this.#at(rev) + FIELD.p2)
  }

  /** The node as a copy; the null node for -1. */
  node(rev: number): Uint8Array {
    if (rev === NULL_REV) return NULL_NODE
    if (rev < this.oldLength) return this.old.node(rev)
    const at = this.#at(rev) + FIELD.node
    return this.#bytes.slice(at, at + NODE_SIZE)
  }

  /** The node as 40 hexadecimal digits. */
  nodeHex(rev: number): string {
    return hexOf(this.node(rev))
  }

  deltaParent(rev: number): number {
    const base = this.baseRev(rev)
    const parent = base === rev || this.generaldelta ? base : rev - 1
    if (base <= rev && base >= NULL_REV && parent >= NULL_REV) return parent
    throw this.old.corruptEntry(rev, `its delta base is ${base}`)
  }

  chainStart(rev: number): number {
    return this.#chain(rev).start
  }

  chainLength(rev: number): number {
    return this.#chain(rev).length
  }

  chainBytes(rev: number): number {
    return this.#chain(rev).bytes
  }

  snapshotDepth(rev: number): number {
    return this.#chain(rev).depth
  }

  /**
   * Looks for nodes that findRev() will be asked for, all in one pass over the old index. What was
   * located before is forgotten.
   */
  locate(nodes: Iterable<Uint8Array>): void {
    const wanted = new Map<ByteString, Uint8Array>()
    for (const node of nodes) {
      const key = byteString(node)
      if (key !== NULL_KEY && !this.#addedRevs.has(key)) wanted.set(key, node)
    }
    this.#located = new Map([...wanted.keys()].map((key) => [key, undefined]))
    findNodes(this.old, [...wanted.values()], (node, rev) =>
      this.#located.set(byteString(node), rev),
    )
  }

  /** The revision of a node: -1 for the null node, undefined when it is not here. */
  findRev(node: Uint8Array): number | undefined {
    const key = byteString(node)
    const added = this.#addedRevs.get(key)
    if (added !== undefined) return added
    if (key === NULL_KEY) return NULL_REV
    if (!this.#located.has(key)) {
      this.#located.set(key, undefined)
      findNodes(this.old, [node], (_found, rev) => this.#located.set(key, rev))
    }
    return this.#located.get(key)
  }

  /** The added entries as they are stored: a view until the next append. */
  addedEntries(): Uint8Array {
    return this.#bytes.subarray(0, this.#added * ENTRY_SIZE)
  }

  #dataEnd(last: number): number {
    return last < 0 ? 0 : this.offset(last) + this.compressedLength(last)
  }

  #at(rev: number): number {
    const added = rev - this.oldLength
    if (added >= 0 && added < this.#added) return added * ENTRY_SIZE
    throw new RevlogError('unknown-revision', `${this.old.name}: there is no revision ${rev}`)
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length)
    larger.set(this.#bytes)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }

  /** Walks down to what is known, then notes all that was passed. */
  #chain(rev: number): ChainFacts {
    const passed: number[] = []
    let facts = this.#chains.get(rev)
    for (let at = rev; facts === undefined; facts = this.#chains.get(at)) {
      passed.push(at)
      const parent = this.deltaParent(at)
      if (parent === at || parent === NULL_REV) break
      at = parent
    }
    if (this.#chains.size > MAX_CHAIN_FACTS) this.#chains.clear()
    for (let at = passed.pop(); at !== undefined; at = passed.pop()) {
      facts = this.#chainAfter(facts, at)
      this.#chains.set(at, facts)
    }
    // There is always one: what is not known was passed.
    return facts ?? { start: rev, length: 0, bytes: 0, depth: NOT_A_SNAPSHOT }
  }

  #chainAfter(before: ChainFacts | undefined, rev: number): ChainFacts {
    const stored = this.compressedLength(rev)
    if (before === undefined) return { start: rev, length: 0, bytes: stored, depth: 0 }
    const parent = this.deltaParent(rev)
    const ordinary = parent === this.p1(rev) || parent === this.p2(rev)
    const none = ordinary || before.depth === NOT_A_SNAPSHOT
    const { start, length, bytes, depth } = before
    return {
      start,
      length: length + 1,
      bytes: bytes + stored,
      depth: none ? NOT_A_SNAPSHOT : depth + 1,
    }
  }
}

const NULL_KEY = byteString(NULL_NODE)
