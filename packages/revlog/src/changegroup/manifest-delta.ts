/**
 * The lines that a manifest's delta brings, without building the manifest. Deltas of manifests are
 * made of whole lines: those who write them, Mercurial and this package, compare line by line.
 */
import { HUNK_HEAD_BYTES } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, bufferOver } from '../format/byte-string.ts'

/** A file's entry in a manifest. */
export interface DeltaEntry {
  readonly path: ByteString
  readonly nodeHex: string
}

const NEWLINE = 0x0a
const NUL = 0x00
const HEX_DIGITS = 40

/** The entries in the new data of a delta, in order. Throws `corrupt` for what are not whole lines. */
export function* manifestEntriesIn(delta: Uint8Array): Iterable<DeltaEntry> {
  const bytes = bufferOver(delta)
  for (let at = 0; at < bytes.length; ) {
    if (at + HUNK_HEAD_BYTES > bytes.length) throw notLines()
    const end = at + HUNK_HEAD_BYTES + bytes.readUInt32BE(at + 8)
    if (end > bytes.length) throw notLines()
    for (let line = at + HUNK_HEAD_BYTES; line < end; ) {
      const lineEnd = bytes.indexOf(NEWLINE, line)
      const nul = bytes.indexOf(NUL, line)
      if (lineEnd < 0 || lineEnd >= end || nul <= line || nul + HEX_DIGITS >= lineEnd + 1) {
        throw notLines()
      }
      yield {
        path: bytes.toString('latin1', line, nul),
        nodeHex: bytes.toString('latin1', nul + 1, nul + 1 + HEX_DIGITS),
      }
      line = lineEnd + 1
    }
    at = end
  }
}

function notLines(): RevlogError {
  return new RevlogError('corrupt', 'a delta of the manifest is not made of whole lines')
}
