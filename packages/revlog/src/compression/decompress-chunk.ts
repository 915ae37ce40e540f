/**
 * A stored chunk to its plain bytes, by the chunk's first byte ("Revision Entries" of Mercurial's
 * revlog document). Sizes are bounded before memory is taken, so that a damaged or hostile chunk
 * gives an error and not an exhausted machine. What the bytes mean is left to the reader.
 */
import { RevlogError, reasonOf } from '../errors.ts'
import { loadZlib } from '../native/zlib.ts'
import { loadZstd } from '../native/zstd.ts'
import { zstdContentSize } from './zstd-frame.ts'

/** First bytes of a chunk, from Mercurial's revlog document. */
const NUL = 0x00
const RAW = 0x75
const ZLIB = 0x78
const ZSTD = 0x28

/** The index stores lengths as signed 32-bit numbers: no text is longer. */
const MAX_PLAIN_BYTES = 0x7fff_ffff

/** Deflate cannot exceed 1032:1 (zlib, "Technical Details"); the rest is slack for tiny streams. */
const MAX_ZLIB_RATIO = 1_040

/** A Zstandard block of 128 KiB can be as short as 4 bytes (RFC 8878, 3.1.1.2). */
const MAX_ZSTD_RATIO = 32_768

/** Where the search for the size of a frame that declares none starts. */
const FIRST_ROOM_BYTES = 65_536

/** What is known of a chunk's plain bytes before it is opened. */
export interface PlainSize {
  /** Bytes to expect, tried first where the chunk does not say its size; it never limits. */
  readonly expectedBytes?: number
  /** A chunk of more bytes than this is damaged: it is not opened further. */
  readonly maxBytes?: number
}

/**
 * The plain bytes of a stored chunk. Raw chunks are views of `chunk`, others have memory of their
 * own. Throws RevlogError `corrupt`, or `unknown-format` for a first byte that names no compression.
 */
export function decompressChunk(chunk: Uint8Array, size: PlainSize = {}): Uint8Array {
  const plain = decompressView(chunk, size)
  return isCompressed(chunk) ? plain.slice() : plain
}

/** Whether the chunk's plain bytes are others than its own. */
function isCompressed(chunk: Uint8Array): boolean {
  return chunk[0] === ZLIB || chunk[0] === ZSTD
}

/** The same without a copy: a view that is valid until the next chunk is decompressed. */
export function decompressView(chunk: Uint8Array, size: PlainSize = {}): Uint8Array {
  switch (chunk[0]) {
    case undefined:
    case NUL:
      return chunk
    case RAW:
      return chunk.subarray(1)
    case ZLIB:
      return inflate(chunk, size)
    case ZSTD:
      return expandFrame(chunk, size)
    default:
      throw new RevlogError(
        'unknown-format',
        `a chunk starts with byte 0x${chunk[0].toString(16).padStart(2, '0')}, which names no known compression: the revlog is damaged or newer than this program`,
      )
  }
}

function inflate(chunk: Uint8Array, { expectedBytes = 0, maxBytes }: PlainSize): Uint8Array {
  const limit = limitOf(chunk.length * MAX_ZLIB_RATIO + 64, maxBytes)
  try {
    return loadZlib().decompress(chunk, expectedBytes, limit)
  } catch (cause) {
    throw corrupt('zlib', chunk, cause)
  }
}

function expandFrame(chunk: Uint8Array, { maxBytes }: PlainSize): Uint8Array {
  const limit = limitOf(chunk.length * MAX_ZSTD_RATIO, maxBytes)
  const declared = zstdContentSize(chunk)
  if (declared !== undefined && declared > limit) {
    throw corrupt('zstd', chunk, `it declares ${declared} bytes, more than it can hold`)
  }
  let room = declared ?? Math.min(limit, FIRST_ROOM_BYTES)
  for (;;) {
    try {
      return loadZstd().decompress(chunk, room)
    } catch (cause) {
      if (declared !== undefined || room >= limit) throw corrupt('zstd', chunk, cause)
      room = Math.min(limit, room * 8)
    }
  }
}

function limitOf(possibleBytes: number, maxBytes = MAX_PLAIN_BYTES): number {
  return Math.min(MAX_PLAIN_BYTES, possibleBytes, maxBytes)
}

function corrupt(compression: string, chunk: Uint8Array, cause: unknown): RevlogError {
  return new RevlogError(
    'corrupt',
    `a ${compression} chunk of ${chunk.length} bytes cannot be read (${reasonOf(cause)}): run \`hg verify\` on the repository`,
  )
}
