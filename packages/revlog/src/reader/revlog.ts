/**
 * The read side of one revlog (version 1): its index, its chunks and its texts, each text checked
 * against its node. Changelog, manifest and filelogs are all this; what their texts mean is left to
 * the codecs of those names.
 */
import type { AccessRecord } from '../bytes/access.ts'
import { decompressChunk, decompressView, type PlainSize } from '../compression/index.ts'
import { applyDeltasInTurn, maxDeltaBytes } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import {
  KNOWN_REVISION_FLAGS,
  NODE_SIZE,
  NULL_NODE,
  NULL_REV,
  REVISION_CENSORED,
  REVISION_ELLIPSIS,
  REVISION_EXTSTORED,
} from '../format/constants.ts'
import type { IndexEntry } from '../format/index-entry.ts'
import { DataFile } from './data-file.ts'
import { type DeltaChain, deltaChain } from './delta-chain.ts'
import { hashText } from './hash-text.ts'
import { type NodeTable, nodeTable } from './node-table.ts'
import type { RevlogIndex } from './revlog-index.ts'

const NO_BYTES = new Uint8Array(0)

/** Chunks that are kept share blocks of this size: memory of its own costs each more than opening it. */
const CHUNKS_BLOCK_BYTES = 262_144

const NULL_NODE_HEX = '0'.repeat(2 * NODE_SIZE)

/** A revlog until close(). */
export class Revlog {
  /** Fields of single revisions, without building an entry. */
  readonly index: RevlogIndex
  readonly #data: DataFile
  readonly #nodes: NodeTable
  #cachedRev = NULL_REV
  #cachedText: Uint8Array = NO_BYTES

  constructor(index: RevlogIndex, dataPath: string) {
    this.index = index
    this.#data = new DataFile(dataPath)
    this.#nodes = nodeTable(index)
  }

  /** Number of revisions. */
  get length(): number {
    return this.index.length
  }

  /** How the index file was read. */
  get access(): AccessRecord {
    return this.index.access
  }

  /** A revision's index entry. Throws `unknown-revision`. */
  entry(rev: number): IndexEntry {
    return this.index.entry(rev)
  }

  /** A revision's node; the null node for -1. */
  node(rev: number): Uint8Array {
    return rev === NULL_REV ? NULL_NODE : this.index.node(rev)
  }

  /** A revision's node as 40 hexadecimal digits; zeros for -1. */
  nodeHex(rev: number): string {
    return rev === NULL_REV ? NULL_NODE_HEX : this.index.nodeHex(rev)
  }

  /** The revision of a 20-byte node: -1 for the null node, undefined if it is not there. */
  findRev(node: Uint8Array): number | undefined {
    return this.#nodes.find(node)
  }

  /** The stored bytes of one revision as they are: a view that is valid until the next read. */
  storedChunk(rev: number): Uint8Array {
    const start = this.index.dataPosition(rev)
    return this.#read(start, start + this.index.compressedLength(rev))
  }

  /** The bytes from the first chunk to the end of the last one, by one read, valid until the next. */
  storedSegment(firstRev: number, lastRev: number): Uint8Array {
    const end = this.index.dataPosition(lastRev) + this.index.compressedLength(lastRev)
    return this.#read(this.index.dataPosition(firstRev), end)
  }

  /**
   * One chunk decompressed: a full text or a delta, as a view that is valid until the next chunk is
   * read or decompressed.
   */
  chunk(rev: number): Uint8Array {
    return decompressView(this.storedChunk(rev))
  }

  /** The stored bytes of several revisions by few reads, valid until the next. Revisions go up. */
  storedChunks(revs: readonly number[]): Uint8Array[] {
    if (revs.length === 1) return [this.storedChunk(revs[0] ?? NULL_REV)]
    const { index } = this
    const starts = revs.map((rev) => index.dataPosition(rev))
    const ends = revs.map((rev, i) => (starts[i] ?? 0) + index.compressedLength(rev))
    for (let i = 1; i < starts.length; i++) {
      if ((starts[i] ?? 0) < (ends[i - 1] ?? 0)) {
        throw index.corruptEntry(revs[i] ?? 0, 'its chunk overlaps that of an earlier revision')
      }
    }
    return index.inline
      ? starts.map((start, i) => index.inlineBytes(start, ends[i] ?? start))
      : this.#data.readRanges({ starts, ends })
  }

  /** Several chunks decompressed, by few reads, in memory that they share. Revisions go up. */
  chunks(revs: readonly number[]): Uint8Array[] {
    let block = NO_BYTES
    let used = 0
    return this.storedChunks(revs).map((chunk) => {
      const plain = decompressView(chunk)
      if (block.length - used < plain.length) {
        block = new Uint8Array(Math.max(CHUNKS_BLOCK_BYTES, plain.length))
        used = 0
      }
      const kept = block.subarray(used, used + plain.length)
      kept.set(plain)
      used += plain.length
      return kept
    })
  }

  /** Gives back what is kept of data and texts and closes the data file; the next read opens it. */
  clearCaches(): void {
    this.#cachedRev = NULL_REV
    this.#cachedText = NO_BYTES
    this.#data.release()
  }

  /** Closes the data file and keeps what was read of it; the next read from disk opens it. */
  closeDataFile(): void {
    this.#data.closeFile()
  }

  /**
   * A revision's text, checked against its node; empty for -1. The memory is shared with the
   * revlog's cache: do not write into it. Throws `censored`, `external-storage`, `corrupt` or
   * `hash-mismatch`. An ellipsis revision's text does not hash to its node, by design.
   */
  rawText(rev: number): Uint8Array {
    if (rev === NULL_REV) return NO_BYTES
    const flags = this.index.flags(rev)
    if (flags !== 0) this.#refuseFlags(rev, flags)
    if (rev === this.#cachedRev) return this.#cachedText
    const text = this.#buildText(rev)
    if ((flags & REVISION_ELLIPSIS) === 0) this.#checkNode(rev, text)
    this.#cachedRev = rev
    this.#cachedText = text
    return text
  }

  /** Closes both files; no view handed out may be used any more. */
  close(): void {
    this.#cachedRev = NULL_REV
    this.#cachedText = NO_BYTES
    this.#data.close()
    this.index.close()
  }

  #read(start: number, end: number): Uint8Array {
    return this.index.inline ? this.index.inlineBytes(start, end) : this.#data.read(start, end)
  }

  #refuseFlags(rev: number, flags: number): void {
    const { name } = this.index
    const unknown = flags & ~KNOWN_REVISION_FLAGS
    if (unknown !== 0) {
      throw new RevlogError(
        'unknown-format',
        `${name}: revision ${rev} has unknown flags 0x${unknown.toString(16)}`,
      )
    }
    if ((flags & REVISION_CENSORED) !== 0) {
      throw new RevlogError('censored', `${name}: revision ${rev} is censored`)
    }
    if ((flags & REVISION_EXTSTORED) !== 0) {
      throw new RevlogError(
        'external-storage',
        `${name}: the content of revision ${rev} is stored outside the repository`,
      )
    }
  }

  #buildText(rev: number): Uint8Array {
    const { index } = this
    const chain = deltaChain(index, rev, this.#cachedRev)
    const length = index.uncompressedLength(rev)
    const chunks = this.storedChunks(chain.revs)
    const first = chain.start === 'full' ? 1 : 0
    const base = this.#chainBase(chain, chunks)
    let text = applyDeltasInTurn(base, chunks.length - first, (at) =>
      decompressView(chunks[at + first] ?? NO_BYTES, this.#plainSize(chain, at + first)),
    )
    // A lone chunk that was stored plain is a view of a read buffer: give it its own memory.
    if (chunks.length === 1 && first === 1) text = this.#owned(text, chain.revs[0] ?? rev)
    if (length !== -1 && text.length !== length) {
      throw index.corruptEntry(rev, `its text has ${text.length} bytes instead of ${length}`)
    }
    return text
  }

  /** What a chain's first delta is against. */
  #chainBase(chain: DeltaChain, chunks: readonly Uint8Array[]): Uint8Array {
    if (chain.start === 'against-null') return NO_BYTES
    if (chain.start === 'against-known') return this.#cachedText
    return decompressChunk(chunks[0] ?? NO_BYTES, this.#plainSize(chain, 0))
  }

  #owned(text: Uint8Array, rev: number): Uint8Array {
    const stored = this.index.compressedLength(rev)
    const plain = text.length === stored || text.length === stored - 1
    return plain ? Uint8Array.prototype.slice.call(text) : text
  }

  /** How large a chain's chunk can be by the lengths that the index gives, where it gives them. */
  #plainSize({ revs, start }: DeltaChain, at: number): PlainSize {
    const rev = revs[at] ?? NULL_REV
    const length = this.index.uncompressedLength(rev)
    if (length < 0) return {}
    if (at === 0 && start === 'full') return { expectedBytes: length, maxBytes: length }
    const before =
      at > 0 ? this.index.uncompressedLength(revs[at - 1] ?? NULL_REV) : this.#cachedText.length
    return before < 0 ? {} : { maxBytes: maxDeltaBytes(before, length) }
  }

  #checkNode(rev: number, text: Uint8Array): void {
    const actual = hashText(
      this.node(this.#parent(rev, 'p1')),
      this.node(this.#parent(rev, 'p2')),
      text,
    )
    if (actual === this.index.nodeHex(rev)) return
    throw new RevlogError(
      'hash-mismatch',
      `${this.index.name}: the text of revision ${rev} hashes to ${actual}, its node is ${this.index.nodeHex(rev)}; run \`hg verify\` on the repository`,
    )
  }

  #parent(rev: number, which: 'p1' | 'p2'): number {
    const parent = this.index[which](rev)
    if (parent < NULL_REV || parent >= rev) {
      throw this.index.corruptEntry(rev, `its parent ${which} is ${parent}`)
    }
    return parent
  }
}
