/**
 * The fncache: the list of the store's file names before their encoding, which hashing makes
 * impossible to read back from disk. One `data/path.i` or `data/path.d` a line, directories encoded.
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, bufferOver, byteString, bytesOf } from '../format/byte-string.ts'
import { decodeDirs, encodeDirs } from './encode-path.ts'

/** The unencoded store paths of an fncache file, in file order. Throws `corrupt`. */
export function parseFncache(bytes: Uint8Array): ByteString[] {
  if (bytes.length === 0) return []
  const text = byteString(bytes)
  if (!text.endsWith('\n')) throw new RevlogError('corrupt', 'fncache does not end with a newline')
  const lines = text.slice(0, -1).split('\n')
  if (lines.includes('')) throw new RevlogError('corrupt', 'fncache has an empty line')
  return lines.map(decodeDirs)
}

/** An fncache file of these unencoded store paths, in the order given. */
export function serializeFncache(paths: readonly ByteString[]): Uint8Array {
  return bytesOf(paths.map((path) => `${encodeDirs(path)}\n`).join(''))
}

/** Up to this many new names the list is searched; for more it is taken apart once. */
const FEW_NAMES = 32

const NEWLINE = 0x0a

/** An fncache file with further unencoded store paths; undefined when it has them all already. */
export function appendToFncache(
  bytes: Uint8Array,
  paths: readonly ByteString[],
): Uint8Array | undefined {
  if (bytes.length > 0 && bytes.at(-1) !== NEWLINE) {
    throw new RevlogError('corrupt', 'fncache does not end with a newline')
  }
  const lines = [...new Set(paths.map((path) => `${encodeDirs(path)}\n`))]
  const isThere = lines.length > FEW_NAMES ? inTakenApart(bytes) : inSearched(bytes)
  const missing = lines.filter((line) => !isThere(line))
  if (missing.length === 0) return undefined
  return Buffer.concat([bytes, bytesOf(missing.join(''))])
}

function inTakenApart(bytes: Uint8Array): (line: ByteString) => boolean {
  const lines = new Set(byteString(bytes).split('\n'))
  return (line) => lines.has(line.slice(0, -1))
}

function inSearched(bytes: Uint8Array): (line: ByteString) => boolean {
  const buffer = bufferOver(bytes)
  return (line) => {
    for (let at = buffer.indexOf(line, 0, 'latin1'); at >= 0; ) {
      if (at === 0 || buffer[at - 1] === NEWLINE) return true
      at = buffer.indexOf(line, at + 1, 'latin1')
    }
    return false
  }
}
