/**
 * One key of a key space changed: a bookmark set, moved or removed, or a draft made public. Source:
 * `hg help internals.wireprotocol`, pushkey.
 */
import { locateNodes } from '../discovery/locate-nodes.ts'
import { writeBookmarks } from '../exchange/apply-bookmarks.ts'
import { type StoreUpdate, updateStore } from '../exchange/store-update.ts'
import type { ByteString } from '../format/byte-string.ts'
import { withRepositoryLocks } from '../locks/repository-locks.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { ReceiveOptions } from './receive-push.ts'

/** A change that is asked for. */
export interface KeyChange {
  readonly namespace: string
  readonly key: ByteString
  /** The value as the client saw it; empty for none. */
  readonly old: ByteString
  readonly value: ByteString
}

/** Gives whether the key was as the client saw it, and has the new value now. */
export function applyKeyChange(options: ReceiveOptions, change: KeyChange): boolean {
  const { root, access, locks } = options
  return withRepositoryLocks(root, locks, () =>
    updateStore({ root, access, description: 'pushkey' }, (update) => {
      if (change.namespace === 'bookmarks') return changeBookmark(update, change)
      return change.namespace === 'phases' && changePhase(update, change)
    }),
  )
}

function changeBookmark(update: StoreUpdate, { key, old, value }: KeyChange): boolean {
  const bookmarks = new Map(readBookmarkNodes(update.repository))
  const now = bookmarks.get(key) ?? ''
  if (now !== old && now !== value) return false
  if (value === '') bookmarks.delete(key)
  else {
    const [rev] = locateNodes(update.repository.changelog.index, [value])
    if (rev === undefined) return false
    bookmarks.set(key, value)
  }
  writeBookmarks(update, bookmarks)
  return true
}

function changePhase({ repository, phases }: StoreUpdate, { key, old, value }: KeyChange): boolean {
  const [rev] = locateNodes(repository.changelog.index, [key])
  if (rev === undefined || !/^[012]$/.test(value) || Number(value) > Number(old)) return false
  const now = phases.phaseOf(rev)
  if (now === Number(value)) return true
  if (now !== Number(old)) return false
  phases.advance(Number(value), [rev])
  return true
}
