/**
 * The index of one revlog, read in place: every field of every revision without building an object
 * for it. It owns the ByteSource and is the only one that touches the bytes, so that after close()
 * nothing can reach memory that may be gone. What the fields mean together is left to the revlog.
 */
import type { AccessRecord } from '../bytes/access.ts'
import type { ByteSource } from '../bytes/byte-source.ts'
import { RevlogError } from '../errors.ts'
import { ENTRY_SIZE, NODE_SIZE } from '../format/constants.ts'
import { parseHeader, type RevlogHeader } from '../format/header.ts'
import { FIELD, type IndexEntry, parseIndexEntry } from '../format/index-entry.ts'
import type { Nodemap } from '../nodemap/nodemap.ts'

/** Takes the source over and reads its header. Throws `corrupt` or `unknown-format`. */
export function readIndex(source: ByteSource, name: string): RevlogIndex {
  try {
    return new RevlogIndex(source, name)
  } catch (error) {
    source.close()
    throw error
  }
}

/** Opens the persistent nodemap of an index, if there is one that can be trusted. */
export type OpenNodemap = (index: RevlogIndex) => Nodemap | undefined

/** A revlog's index until close(). Fields throw `unknown-revision` outside 0..length-1. */
export class RevlogIndex {
  readonly name: string
  /** Undefined for an empty file, which has no header yet. */
  readonly header: RevlogHeader | undefined
  /** Number of revisions. */
  readonly length: number
  readonly inline: boolean
  readonly generaldelta: boolean
  readonly access: AccessRecord
  readonly #source: ByteSource
  /** Byte position of each entry of an inline index; undefined when entries lie side by side. */
  readonly #positions: Float64Array | undefined
  #bytes: Buffer
  /** The same memory as what the chunks of other revlogs are views of. */
  #plain: Uint8Array
  #view: DataView
  #openNodemap: OpenNodemap | undefined
  #nodemap: Nodemap | undefined
  #closed = false

  constructor(source: ByteSource, name: string) {
    const bytes = source.bytes()
    this.name = name
    this.access = source.access
    this.header = bytes.length === 0 ? undefined : parseHeader(bytes, name)
    this.inline = this.header?.inline ?? false
    this.generaldelta = this.header?.generaldelta ?? false
    this.#source = source
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#plain = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#positions = this.inline ? scanInline(this.#view, name) : undefined
    this.length = this.#positions?.length ?? countEntries(bytes.length, name)
  }

  /** Says how to open a nodemap; the first look-up does. */
  attachNodemap(open: OpenNodemap): void {
    this.#openNodemap = open
  }

  /** The nodemap, opened by the first call; undefined where there is none that can be trusted. */
  get nodemap(): Nodemap | undefined {
    this.#assertOpen()
    if (this.#nodemap === undefined && this.#openNodemap !== undefined) {
      this.#nodemap = this.#openNodemap(this)
      if (this.#nodemap === undefined) this.#openNodemap = undefined
    }
    return this.#nodemap
  }

  /** Closes the nodemap until it is asked for again; not at all any more if it is damaged. */
  closeNodemap(state: 'good' | 'damaged' = 'good'): void {
    this.#nodemap?.close()
    this.#nodemap = undefined
    if (state === 'damaged') this.#openNodemap = undefined
  }

  /** Offset of the revision's chunk in the data stream. */
  offset(rev: number): number {
    const at = this.#at(rev)
    const low = this.#view.getUint16(at + FIELD.offsetLow)
    // The header overlays the high part of revision 0's offset.
    return rev === 0 ? low : this.#view.getUint32(at) * 0x1_0000 + low
  }

  /** Position of the revision's chunk in the file that holds the data. */
  dataPosition(rev: number): number {
    return this.inline ? this.#at(rev) + ENTRY_SIZE : this.offset(rev)
  }

  flags(rev: number): number {
    return this.#view.getUint16(this.#at(rev) + FIELD.flags)
  }

  /** Bytes of the stored chunk. Throws `corrupt` if the entry says less than none. */
  compressedLength(rev: number): number {
    const length = this.#view.getInt32(this.#at(rev) + FIELD.compressedLength)
    if (length < 0) throw this.corruptEntry(rev, `its chunk has ${length} bytes`)
    return length
  }

  /** Bytes of the full text; -1 where the writer did not know it. */
  uncompressedLength(rev: number): number {
    return this.#view.getInt32(this.#at(rev) + FIELD.uncompressedLength)
  }

  baseRev(rev: number): number {
    return this.#view.getInt32(this.#at(rev) + FIELD.baseRev)
  }

  linkRev(rev: number): number {
    return this.#view.getInt32(this.#at(rev) + FIELD.linkRev)
  }

  p1(rev: number): number {
    return this.#view.getInt32(this.#at(rev) + FIELD.p1)
  }

  p2(rev: number): number {
    return this.#view.getInt32(this.#at(rev) + FIELD.p2)
  }

  /** The node, as a copy. */
  node(rev: number): Uint8Array {
    const at = this.#at(rev) + FIELD.node
    return Uint8Array.prototype.slice.call(this.#bytes, at, at + NODE_SIZE)
  }

  /** The node as 40 hexadecimal digits. */
  nodeHex(rev: number): string {
    const at = this.#at(rev) + FIELD.node
    return this.#bytes.toString('hex', at, at + NODE_SIZE)
  }

  /** The first four bytes of the node as a number, for look-ups. */
  nodeWord(rev: number): number {
    return this.#view.getUint32(this.#at(rev) + FIELD.node)
  }

  /** Copies the node into `target` at byte `position`. */
  copyNode(rev: number, target: Uint8Array, position: number): void {
    const at = this.#at(rev) + FIELD.node
    this.#bytes.copy(target, position, at, at + NODE_SIZE)
  }

  /** Copies the entry as it is stored, in the first one the header, into `target` at `position`. */
  copyEntry(rev: number, target: Uint8Array, position: number): void {
    const at = this.#at(rev)
    this.#bytes.copy(target, position, at, at + ENTRY_SIZE)
  }

  /** The whole entry as a value, the offset without the header. */
  entry(rev: number): IndexEntry {
    const entry = parseIndexEntry(this.#bytes, this.#at(rev))
    return rev === 0 ? { ...entry, offset: this.offset(0) } : entry
  }

  /** Chunk bytes of an inline revlog: a view that must not be kept, a copy if the file is mapped. */
  inlineBytes(start: number, end: number): Uint8Array {
    this.#assertOpen()
    // A view of a mapping that outlived close() would end the process, not throw. Rare enough to
    // copy: Mercurial maps files from 1 MiB up, and an inline index is split long before.
    if (this.access.used === 'mmap') return Uint8Array.prototype.slice.call(this.#bytes, start, end)
    return this.#plain.subarray(start, end)
  }

  /** The error for an entry that contradicts itself or its neighbours. */
  corruptEntry(rev: number, what: string): RevlogError {
    return new RevlogError(
      'corrupt',
      `${this.name}: revision ${rev}: ${what}; run \`hg verify\` on the repository`,
    )
  }

  /** Gives the bytes back. */
  close(): void {
    this.closeNodemap('damaged')
    this.#closed = true
    this.#bytes = Buffer.alloc(0)
    this.#plain = this.#bytes
    this.#view = new DataView(new ArrayBuffer(0))
    this.#source.close()
  }

  #at(rev: number): number {
    if (rev < 0 || rev >= this.length || this.#closed) {
      this.#assertOpen()
      throw new RevlogError('unknown-revision', `${this.name}: there is no revision ${rev}`)
    }
    return this.#positions === undefined ? rev * ENTRY_SIZE : (this.#positions[rev] ?? 0)
  }

  #assertOpen(): void {
    if (this.#closed) throw new RevlogError('closed', `${this.name}: used after close()`)
  }
}

function countEntries(bytes: number, name: string): number {
  if (bytes % ENTRY_SIZE !== 0) {
    throw new RevlogError(
      'corrupt',
      `${name}: ${bytes} bytes are not a whole number of ${ENTRY_SIZE}-byte entries`,
    )
  }
  return bytes / ENTRY_SIZE
}

/** The entries' positions in an inline index, where each entry is followed by its chunk. */
function scanInline(view: DataView, name: string): Float64Array {
  const positions = new Float64Array(Math.floor(view.byteLength / ENTRY_SIZE))
  let count = 0
  let at = 0
  while (at < view.byteLength) {
    const chunkAt = at + ENTRY_SIZE
    const chunkLength = chunkAt <= view.byteLength ? view.getInt32(at + FIELD.compressedLength) : -1
    if (chunkLength < 0 || chunkAt + chunkLength > view.byteLength) {
      throw new RevlogError('corrupt', `${name}: inline revision ${count} is cut short`)
    }
    positions[count] = at
    count++
    at = chunkAt + chunkLength
  }
  return positions.slice(0, count)
}
