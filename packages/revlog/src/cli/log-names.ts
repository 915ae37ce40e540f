/**
 * The names that log prints beside revisions. Tags and bookmarks are read when the first revision is
 * printed, and turned around: from node to names. The nodes of the revisions that are printed are
 * looked up among the names' nodes and not the other way, which would search the whole changelog.
 */
import type { ByteString } from '../format/byte-string.ts'
import type { ChangesetHistory } from '../repository/history.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { Repository } from '../repository/open.ts'
import { readTagNodes } from '../repository/tags.ts'
import type { ToLocal } from './local-encoding.ts'

/** Names of a revision in the local encoding, sorted by bytes; `tip` is among the tags. */
export interface LogNames {
  tags(rev: number): readonly ByteString[]
  bookmarks(rev: number): readonly ByteString[]
}

/** Names by the nodes, in hexadecimal digits, that they stand for. */
type NamesByNode = ReadonlyMap<string, readonly ByteString[]>

/** The names in a repository for a history that is its own or goes on from it, read on first use. */
export function logNames(
  repository: Repository,
  history: Pick<ChangesetHistory, 'length' | 'nodeHex'>,
  toLocal: ToLocal,
): LogNames {
  let tags: NamesByNode | undefined
  let bookmarks: NamesByNode | undefined
  const namesOf = (byNode: NamesByNode, rev: number): readonly ByteString[] =>
    (byNode.size === 0 ? undefined : byNode.get(history.nodeHex(rev))) ?? NONE
  return {
    tags(rev) {
      tags ??= namesByNode(readTagNodes(repository), toLocal)
      const names = namesOf(tags, rev)
      return rev === history.length - 1 ? [...names, 'tip'].sort() : names
    },
    bookmarks(rev) {
      bookmarks ??= namesByNode(readBookmarkNodes(repository), toLocal)
      return namesOf(bookmarks, rev)
    },
  }
}

const NONE: readonly ByteString[] = []

function namesByNode(nodes: ReadonlyMap<ByteString, string>, toLocal: ToLocal): NamesByNode {
  const names = new Map<string, ByteString[]>()
  for (const [name, nodeHex] of nodes) {
    const others = names.get(nodeHex)
    if (others === undefined) names.set(nodeHex, [toLocal(name)])
    else others.push(toLocal(name))
  }
  for (const some of names.values()) some.sort()
  return names
}
