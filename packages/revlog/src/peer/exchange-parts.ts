/**
 * Payloads of the parts that go with changesets in an exchange: heads by phase (`phase-heads`,
 * `check:phases`), bookmarks (`bookmarks`, `check:bookmarks`), plain nodes (`check:heads`,
 * `check:updated-heads`). Source: `hg help internals.bundle2`; bookmarks as observed: node, 16 bits
 * for the bytes of the name, name.
 */
import type { PhaseHead } from '../bundle/extra-parts.ts'
import type { ByteInput } from '../bytes/byte-input.ts'
import { type ByteString, bytesOf, hexOf } from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'

/** The payload for heads by phase. */
export function phaseEntries(heads: readonly PhaseHead[]): Uint8Array {
  const pieces = heads.flatMap(({ phase, node }) => {
    const number = new Uint8Array(4)
    new DataView(number.buffer).setInt32(0, phase)
    return [number, node]
  })
  return Buffer.concat(pieces)
}

/** The payload for bookmarks; an empty node stands for none. */
export function bookmarkEntries(bookmarks: ReadonlyMap<ByteString, string>): Uint8Array {
  const pieces = [...bookmarks].flatMap(([name, hex]) => {
    const head = Buffer.from(`${hex === '' ? 'f'.repeat(2 * NODE_SIZE) : hex}0000`, 'hex')
    head.writeUInt16BE(name.length, NODE_SIZE)
    return [head, bytesOf(name)]
  })
  return Buffer.concat(pieces)
}

/** The nodes of a payload that is nothing else. Throws `truncated`. */
export function* readNodes(payload: ByteInput): Iterable<string> {
  for (;;) {
    const first = payload.readSome(1)
    if (first.length === 0) return
    yield hexOf(Buffer.concat([first, payload.read(NODE_SIZE - 1)]))
  }
}
