/**
 * The lines of manifests as a check reads them: many at once, with little made of each. The problems
 * that it names are in Mercurial's words.
 */
import { HUNK_HEAD_BYTES } from '../delta/index.ts'
import { type ByteString, bufferOver } from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'

/** Lines of a manifest. */
export interface ManifestLines {
  readonly paths: readonly ByteString[]
  /** The node of a line, as a view that the next call overwrites. */
  nodeAt(at: number): Uint8Array
}

interface Problem {
  readonly problem: string
}

/** A path of one byte, its end, a node. */
const SHORTEST_LINE = 2 + 2 * NODE_SIZE

const NEWLINE = 0x0a

/** What the hunks of a delta put in, one behind the other. */
export function hunkTexts(delta: Uint8Array): { readonly text: Uint8Array } | Problem {
  const parts: Uint8Array[] = []
  const view = new DataView(delta.buffer, delta.byteOffset, delta.length)
  for (let at = 0; at < delta.length; ) {
    const start = at + HUNK_HEAD_BYTES
    const end = start <= delta.length ? start + view.getUint32(at + 8) : Number.POSITIVE_INFINITY
    if (end > delta.length) return { problem: 'patch cannot be decoded' }
    parts.push(delta.subarray(start, end))
    at = end
  }
  const [only] = parts
  return { text: parts.length === 1 && only !== undefined ? only : Buffer.concat(parts) }
}

/** The lines of a text. */
export function parseLines(text: Uint8Array): ManifestLines | Problem {
  const buffer = bufferOver(text)
  if (text.length > 0 && text.at(-1) !== NEWLINE) {
    return { problem: 'Manifest did not end in a newline.' }
  }
  const paths: ByteString[] = []
  const nodes: number[] = []
  for (let at = 0; at < text.length; ) {
    const nul = buffer.indexOf(0, at)
    const end = buffer.indexOf(NEWLINE, at)
    if (end - at < SHORTEST_LINE || nul < 0 || nul + 2 * NODE_SIZE >= end) {
      return { problem: 'Manifest had implausibly-short line.' }
    }
    if (!isHex(text, nul + 1)) return { problem: 'Manifest has a node of other than hex digits.' }
    const path = buffer.toString('latin1', at, nul)
    const before = paths.at(-1)
    if (before !== undefined && path <= before) {
      return { problem: 'Manifest lines not in sorted order.' }
    }
    paths.push(path)
    nodes.push(nul + 1)
    at = end + 1
  }
  const node = Buffer.alloc(NODE_SIZE)
  return {
    paths,
    nodeAt(at) {
      const start = nodes[at] ?? 0
      for (let i = 0; i < NODE_SIZE; i++) {
        const high = DIGITS[text[start + 2 * i] ?? 0] ?? 0
        node[i] = (high << 4) | (DIGITS[text[start + 2 * i + 1] ?? 0] ?? 0)
      }
      return node
    },
  }
}

/** The value of each byte as a lower-case hexadecimal digit; -1 for others. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte)),
)

function isHex(text: Uint8Array, start: number): boolean {
  for (let i = start; i < start + 2 * NODE_SIZE; i++) {
    if ((DIGITS[text[i] ?? 0] ?? -1) < 0) return false
  }
  return true
}
