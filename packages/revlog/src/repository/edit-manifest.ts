/**
 * Edits in a manifest's text, without parsing the lines that stay: each path is found by binary
 * search among the sorted lines, and the pieces between are copied. For manifests of 100 KB in which
 * a commit changes three lines.
 */
import type { ByteString } from '../format/byte-string.ts'
import type { ManifestFlag } from '../manifest/manifest.ts'

/** What a path becomes: a node and flag, or nothing where it goes away. */
export interface ManifestEdit {
  readonly path: ByteString
  readonly entry: { readonly nodeHex: string; readonly flag: ManifestFlag } | undefined
}

/** A path's line in a manifest, its newline included; an empty range where it would be. */
export interface LinePlace {
  readonly start: number
  readonly end: number
}

const NEWLINE = 0x0a
const NUL_AND_HEX_BYTES = 41

/** The manifest's text with the edits, which may come in any order, each path once. */
export function editManifest(text: Uint8Array, edits: readonly ManifestEdit[]): Uint8Array {
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.length)
  const sorted = [...edits].sort((a, b) => (a.path < b.path ? -1 : 1))
  const pieces: Uint8Array[] = []
  let copied = 0
  for (const { path, entry } of sorted) {
    const { start, end } = findLine(buffer, path)
    pieces.push(buffer.subarray(copied, start))
    if (entry !== undefined) pieces.push(lineOf(path, entry))
    copied = end
  }
  pieces.push(buffer.subarray(copied))
  return Buffer.concat(pieces)
}

/** A path's entry, or undefined where the manifest does not have it. */
export function entryIn(
  text: Uint8Array,
  path: ByteString,
): { readonly nodeHex: string; readonly flag: ManifestFlag } | undefined {
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.length)
  const { start, end } = findLine(buffer, path)
  if (start === end) return undefined
  const nodeAt = start + path.length + 1
  const flagAt = start + path.length + NUL_AND_HEX_BYTES
  const flag = buffer.toString('latin1', flagAt, end - 1)
  return {
    nodeHex: buffer.toString('latin1', nodeAt, flagAt),
    flag: flag === 'x' || flag === 'l' ? flag : '',
  }
}

/** Where a path's line is or, as an empty range, where it belongs. */
function findLine(buffer: Buffer, path: ByteString): LinePlace {
  // NUL sorts before every byte of a path, so comparing with it compares whole paths.
  const key = Buffer.from(`${path}\0`, 'latin1')
  let low = 0
  let high = buffer.length
  while (low < high) {
    const middle = low + ((high - low) >>> 1)
    const start = middle === 0 ? 0 : buffer.lastIndexOf(NEWLINE, middle - 1) + 1
    const end = buffer.indexOf(NEWLINE, middle) + 1
    const order = buffer.compare(key, 0, key.length, start, Math.min(start + key.length, end))
    if (order === 0) return { start, end }
    if (order < 0) low = end
    else high = start
  }
  return { start: low, end: low }
}

function lineOf(
  path: ByteString,
  entry: { readonly nodeHex: string; readonly flag: ManifestFlag },
): Buffer {
  return Buffer.from(`${path}\0${entry.nodeHex}${entry.flag}\n`, 'latin1')
}
