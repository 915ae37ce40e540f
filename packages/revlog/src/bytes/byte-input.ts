/**
 * A sequential source of bytes: a file, a pipe, what a decompressor gives. Readers of streams take a
 * ByteInput and do not know what is behind it. A length that a stream declares is never trusted with
 * memory: what is read grows with what really arrives.
 */
import { readSync } from 'node:fs'
import { codeOf, RevlogError, reasonOf } from '../errors.ts'

/** Bytes in sequence. What is handed out is never written to again and may be kept. */
export interface ByteInput {
  /** For messages: the file, or what it came through. */
  readonly name: string
  /** Bytes that were read so far. */
  readonly position: number
  /** Exactly `length` bytes. Throws `truncated` when the input ends before. */
  read(length: number): Uint8Array
  /** At least one and at most `limit` bytes; none at the end. */
  readSome(limit: number): Uint8Array
}

/** Gives the next piece of any size, an empty one at the end; asked again after it, empty again. */
export type PullPiece = () => Uint8Array

/** A file or pipe is read in pieces of this size. */
const PIECE_BYTES = 131_072

const NO_BYTES = new Uint8Array(0)

/** The input over pieces that are pulled as they are needed. */
export function pulledInput(name: string, pull: PullPiece): ByteInput {
  let piece: Uint8Array = NO_BYTES
  let at = 0
  let position = 0
  /** True once there is at least one byte. */
  const fill = (): boolean => {
    if (at < piece.length) return true
    piece = pull()
    at = 0
    return piece.length > 0
  }
  const take = (limit: number): Uint8Array => {
    const taken = piece.subarray(at, at + limit)
    at += taken.length
    position += taken.length
    return taken
  }
  return {
    name,
    get position() {
      return position
    },
    readSome: (limit) => (limit > 0 && fill() ? take(limit) : NO_BYTES),
    read(length) {
      if (piece.length - at >= length) return take(length)
      const start = position
      const parts: Uint8Array[] = []
      for (let missing = length; missing > 0; ) {
        if (!fill()) throw truncatedError(name, start, { wanted: length, got: position - start })
        const part = take(missing)
        parts.push(part)
        missing -= part.length
      }
      return joinParts(parts, length)
    },
  }
}

/** The input over pieces as something makes them, which are asked for one at a time. */
export function piecesInput(name: string, pieces: Iterable<Uint8Array>): ByteInput {
  const iterator = pieces[Symbol.iterator]()
  return pulledInput(name, () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      if (next.value.length > 0) return next.value
    }
    return NO_BYTES
  })
}

/** The input over bytes in memory. */
export function bytesInput(bytes: Uint8Array, name = 'stream'): ByteInput {
  let left: Uint8Array = bytes
  return pulledInput(name, () => {
    const piece = left
    left = NO_BYTES
    return piece
  })
}

/** The input over an open file or pipe, from where it stands; the caller closes it. */
export function descriptorInput(fd: number, name: string): ByteInput {
  return pulledInput(name, () => {
    const piece = new Uint8Array(PIECE_BYTES)
    return piece.subarray(0, readPiece(fd, piece, name))
  })
}

function readPiece(fd: number, piece: Uint8Array, name: string): number {
  for (;;) {
    try {
      return readSync(fd, piece, 0, piece.length, null)
    } catch (cause) {
      if (codeOf(cause) === 'EOF') return 0
      if (codeOf(cause) !== 'EAGAIN') {
        throw new RevlogError('system', `${name}: ${reasonOf(cause)}`, { cause })
      }
      // Somebody made the pipe non-blocking: ask again a millisecond later.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

function joinParts(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only = NO_BYTES] = parts
  if (parts.length <= 1) return only
  const joined = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** The error for an input that ends inside what it should hold. */
export function truncatedError(
  name: string,
  position: number,
  { wanted, got }: { readonly wanted: number; readonly got: number },
): RevlogError {
  return new RevlogError(
    'truncated',
    `${name}: ends at byte ${position + got}: of ${wanted} bytes from byte ${position} on there are only ${got}`,
  )
}
