/**
 * The names that log prints beside revisions. Tags and bookmarks are read when the first revision
 * is printed, and turned around: from revision to names.
 */
import type { ByteString } from '../format/byte-string.ts'
import { readBookmarks } from '../repository/names.ts'
import type { Repository } from '../repository/open.ts'
import { readTags } from '../repository/tags.ts'
import type { ToLocal } from './local-encoding.ts'

/** Names of a revision in the local encoding, sorted by bytes; `tip` is among the tags. */
export interface LogNames {
  tags(rev: number): readonly ByteString[]
  bookmarks(rev: number): readonly ByteString[]
}

/** The names in a repository, read on first use. */
export function logNames(repository: Repository, toLocal: ToLocal): LogNames {
  const tip = repository.changelog.length - 1
  let tags: ReadonlyMap<number, readonly ByteString[]> | undefined
  let bookmarks: ReadonlyMap<number, readonly ByteString[]> | undefined
  return {
    tags(rev) {
      tags ??= namesByRev([...readTags(repository), ['tip', tip]], toLocal)
      return tags.get(rev) ?? NONE
    },
    bookmarks(rev) {
      bookmarks ??= namesByRev(readBookmarks(repository), toLocal)
      return bookmarks.get(rev) ?? NONE
    },
  }
}

const NONE: readonly ByteString[] = []

function namesByRev(
  revs: Iterable<readonly [ByteString, number]>,
  toLocal: ToLocal,
): ReadonlyMap<number, readonly ByteString[]> {
  const byRev = new Map<number, ByteString[]>()
  for (const [name, rev] of revs) {
    const names = byRev.get(rev)
    if (names === undefined) byRev.set(rev, [toLocal(name)])
    else names.push(toLocal(name))
  }
  for (const names of byRev.values()) names.sort()
  return byRev
}
