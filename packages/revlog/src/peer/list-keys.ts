/**
 * The key spaces that a repository offers (`hg help internals.wireprotocol`, listkeys): bookmarks,
 * phases, and the list of the spaces themselves.
 */
import type { ByteString } from '../format/byte-string.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { Repository } from '../repository/open.ts'
import { readRoots } from '../repository/phases.ts'
import { isPublishing, readSettings } from './repository-settings.ts'
import type { ServedView } from './served-view.ts'

const DRAFT = 1

/** The keys of a space with their values; none for a space that is not known. */
export function listKeys(
  repository: Repository,
  served: ServedView,
  namespace: string,
): ReadonlyMap<ByteString, ByteString> {
  if (namespace === 'bookmarks') return servedBookmarks(repository, served)
  if (namespace === 'phases') return phaseKeys(repository)
  if (namespace !== 'namespaces') return new Map()
  return new Map(['bookmarks', 'namespaces', 'phases'].map((name) => [name, '']))
}

/** Bookmarks of visible changesets, by name in byte order. */
export function servedBookmarks(
  repository: Repository,
  { isServed }: ServedView,
): ReadonlyMap<ByteString, string> {
  const entries = [...readBookmarkNodes(repository)].filter(([, hex]) => {
    const rev = repository.changelog.findRev(Buffer.from(hex, 'hex'))
    return rev !== undefined && isServed(rev)
  })
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The roots of drafts, and whether the repository publishes. */
function phaseKeys(repository: Repository): ReadonlyMap<ByteString, ByteString> {
  const keys = new Map<ByteString, ByteString>()
  for (const [rev, phase] of readRoots(repository)) {
    if (phase === DRAFT) keys.set(repository.changelog.nodeHex(rev), '1')
  }
  if (isPublishing(readSettings(repository))) keys.set('publishing', 'True')
  return keys
}
