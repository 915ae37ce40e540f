/**
 * One 64-byte entry of a revlog index, as a value. Source: `hg help internals.revlogs`, whose field
 * names are used. The reader does not build these for every revision: it reads single fields in
 * place (FIELD), this pair is for whoever needs or writes a whole entry.
 */
import { RevlogError } from '../errors.ts'
import { ENTRY_SIZE, NODE_SIZE } from './constants.ts'

/** One revision's index entry. `offset` is in the data stream, whichever file that lies in. */
export interface IndexEntry {
  /** Byte offset of the chunk in the data stream (48 bits). */
  readonly offset: number
  /** Revision flags (16 bits). */
  readonly flags: number
  /** Bytes of the stored chunk. */
  readonly compressedLength: number
  /** Bytes of the full text. */
  readonly uncompressedLength: number
  /** Base of the delta chain or, with generaldelta, of this delta; the own number for a full text. */
  readonly baseRev: number
  /** Changelog revision that brought this one. */
  readonly linkRev: number
  /** First parent, -1 if none. */
  readonly p1: number
  /** Second parent, -1 if none. */
  readonly p2: number
  /** SHA-1 of the sorted parents' nodes and the text: 20 bytes. */
  readonly node: Uint8Array
}

/** Byte position of each field inside an entry. */
export const FIELD = {
  offsetHigh: 0,
  offsetLow: 4,
  flags: 6,
  compressedLength: 8,
  uncompressedLength: 12,
  baseRev: 16,
  linkRev: 20,
  p1: 24,
  p2: 28,
  node: 32,
} as const

const MAX_OFFSET = 2 ** 48 - 1
const MAX_INT32 = 2 ** 31 - 1

/**
 * Reads the entry at byte `at`; the node is a copy. Of revision 0 the offset comes back with the
 * file's header in it: the caller knows which revision it reads. Throws `corrupt` if cut short.
 */
export function parseIndexEntry(bytes: Uint8Array, at: number): IndexEntry {
  if (at < 0 || at + ENTRY_SIZE > bytes.length) {
    throw new RevlogError('corrupt', `index entry at byte ${at} is cut short at ${bytes.length}`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, ENTRY_SIZE)
  return {
    offset: view.getUint32(FIELD.offsetHigh) * 0x1_0000 + view.getUint16(FIELD.offsetLow),
    flags: view.getUint16(FIELD.flags),
    compressedLength: view.getInt32(FIELD.compressedLength),
    uncompressedLength: view.getInt32(FIELD.uncompressedLength),
    baseRev: view.getInt32(FIELD.baseRev),
    linkRev: view.getInt32(FIELD.linkRev),
    p1: view.getInt32(FIELD.p1),
    p2: view.getInt32(FIELD.p2),
    node: bytes.slice(at + FIELD.node, at + FIELD.node + NODE_SIZE),
  }
}

/** The entry as 64 bytes. Throws `too-large` for a value that its field cannot hold. */
export function serializeIndexEntry(entry: IndexEntry): Uint8Array {
  checkRanges(entry)
  const bytes = new Uint8Array(ENTRY_SIZE)
  const view = new DataView(bytes.buffer)
  view.setUint32(FIELD.offsetHigh, Math.floor(entry.offset / 0x1_0000))
  view.setUint16(FIELD.offsetLow, entry.offset % 0x1_0000)
  view.setUint16(FIELD.flags, entry.flags)
  view.setInt32(FIELD.compressedLength, entry.compressedLength)
  view.setInt32(FIELD.uncompressedLength, entry.uncompressedLength)
  view.setInt32(FIELD.baseRev, entry.baseRev)
  view.setInt32(FIELD.linkRev, entry.linkRev)
  view.setInt32(FIELD.p1, entry.p1)
  view.setInt32(FIELD.p2, entry.p2)
  bytes.set(entry.node, FIELD.node)
  return bytes
}

function checkRanges(entry: IndexEntry): void {
  checkRange('offset', entry.offset, 0, MAX_OFFSET)
  checkRange('flags', entry.flags, 0, 0xffff)
  checkRange('compressedLength', entry.compressedLength, 0, MAX_INT32)
  checkRange('uncompressedLength', entry.uncompressedLength, -1, MAX_INT32)
  for (const field of ['baseRev', 'linkRev', 'p1', 'p2'] as const) {
    checkRange(field, entry[field], -1, MAX_INT32)
  }
  if (entry.node.length !== NODE_SIZE) {
    throw new RevlogError('corrupt', `a node has ${NODE_SIZE} bytes, not ${entry.node.length}`)
  }
}

function checkRange(field: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RevlogError('too-large', `index field ${field} cannot hold ${value}`)
  }
}
