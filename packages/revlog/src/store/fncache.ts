/**
 * The fncache: the list of the store's file names before their encoding, which hashing makes
 * impossible to read back from disk. One `data/path.i` or `data/path.d` a line, directories encoded.
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString, bytesOf } from '../format/byte-string.ts'
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
