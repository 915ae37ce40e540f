/**
 * Names for revisions that are kept outside the store: bookmarks and the working directory's parent.
 * Names are byte strings in UTF-8.
 */
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { NODE_SIZE, NULL_REV } from '../format/constants.ts'
import type { Repository } from './open.ts'

/** Bookmarks by name, each with its revision; those of unknown nodes are left out. */
export function readBookmarks(repository: Repository): ReadonlyMap<ByteString, number> {
  return revsOf(repository, readBookmarkNodes(repository))
}

/** Bookmarks by name, each with its node in hexadecimal digits, which may be of no changeset here. */
export function readBookmarkNodes(repository: Repository): ReadonlyMap<ByteString, string> {
  const bookmarks = new Map<ByteString, string>()
  const text = repository.metaFile('bookmarks')?.toString('latin1') ?? ''
  for (const line of text.split('\n')) {
    const [hex, name] = splitOnce(line, ' ')
    if (name !== undefined && hex.length === 2 * NODE_SIZE) bookmarks.set(name, hex.toLowerCase())
  }
  return bookmarks
}

/** Names with the revisions of their nodes; those of unknown nodes are left out. */
export function revsOf(
  { changelog }: Repository,
  nodes: ReadonlyMap<ByteString, string>,
): ReadonlyMap<ByteString, number> {
  const revs = new Map<ByteString, number>()
  for (const [name, hex] of nodes) {
    const rev = changelog.findRev(Buffer.from(hex, 'hex'))
    if (rev !== undefined) revs.set(name, rev)
  }
  return revs
}

/** Where dirstate-v2 keeps the first parent (`hg help internals.dirstate-v2`): after its marker. */
const DIRSTATE_V2_MARKER = 'dirstate-v2\n'

/** The first parent of the working directory; -1 if there is none. */
export function workingParent(repository: Repository): number {
  const dirstate = repository.metaFile('dirstate')
  if (dirstate === undefined || dirstate.length === 0) return NULL_REV
  const v2 = repository.requirements.has('dirstate-v2')
  const at = v2 ? DIRSTATE_V2_MARKER.length : 0
  if (
    dirstate.length < at + NODE_SIZE ||
    (v2 && !dirstate.toString('latin1').startsWith(DIRSTATE_V2_MARKER))
  ) {
    throw new RevlogError('corrupt', 'the dirstate is damaged')
  }
  const node = dirstate.subarray(at, at + NODE_SIZE)
  const rev = repository.changelog.findRev(node)
  if (rev !== undefined) return rev
  throw new RevlogError(
    'unknown-revision',
    `working directory has unknown parent '${node.toString('hex', 0, 6)}'`,
  )
}

/** Text before and after the first separator; no second part without one. */
export function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
