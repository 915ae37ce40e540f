/**
 * A bundle's bookmarks: each is set to its changeset, or removed. An entry is a node, which of all
 * ones means removal, the bytes of the name (16 bits) and the name. (Not documented; as observed.)
 */
import type { ByteInput } from '../bytes/byte-input.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString, bytesOf } from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import { noChangeset } from './apply-changegroup.ts'
import type { StoreUpdate } from './store-update.ts'

/** Stands for a bookmark's removal. */
export const REMOVED_HEX = 'f'.repeat(2 * NODE_SIZE)

/** Applies the payload of a part `bookmarks`. Throws `corrupt`, `truncated`, `unknown-revision`. */
export function applyBookmarks(update: StoreUpdate, payload: ByteInput): void {
  const bookmarks = new Map(readBookmarkNodes(update.repository))
  for (const { name, node } of readBookmarkEntries(payload)) {
    const nodeHex = node.toString('hex')
    if (nodeHex === REMOVED_HEX) {
      bookmarks.delete(name)
      continue
    }
    if (update.changelog.index.findRev(node) === undefined) throw noChangeset(node)
    bookmarks.set(name, nodeHex)
  }
  writeBookmarks(update, bookmarks)
}

/** Makes these all the bookmarks of the repository; nodes in hexadecimal digits. */
export function writeBookmarks(
  { transaction }: Pick<StoreUpdate, 'transaction'>,
  bookmarks: ReadonlyMap<ByteString, string>,
): void {
  const lines = [...bookmarks].sort(byName).map(([name, nodeHex]) => `${nodeHex} ${name}\n`)
  transaction.replace({ location: 'plain', path: 'bookmarks' }, bytesOf(lines.join('')))
}

/** One entry. */
export interface BookmarkEntry {
  readonly name: ByteString
  readonly node: Buffer
}

/** What the payload holds. Throws `corrupt`, `truncated`. */
export function* readBookmarkEntries(payload: ByteInput): Iterable<BookmarkEntry> {
  for (;;) {
    const first = payload.readSome(1)
    if (first.length === 0) return
    const head = Buffer.concat([first, payload.read(NODE_SIZE + 1)])
    const name = byteString(payload.read(head.readUInt16BE(NODE_SIZE)))
    if (name === '' || /[\0\r\n:]/.test(name)) {
      throw new RevlogError('corrupt', `a bookmark is called ${JSON.stringify(name)}`)
    }
    yield { name, node: head.subarray(0, NODE_SIZE) }
  }
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
