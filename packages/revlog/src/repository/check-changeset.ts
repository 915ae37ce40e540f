/**
 * What is checked of a changeset before the first of its revisions is appended: a commit that fails
 * half-way would leave file revisions that belong to no changeset, or to the next one.
 */
import { assertStorable } from '../changelog/changeset.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, isByteString } from '../format/byte-string.ts'
import type { FileChange, NewChangeset } from './create.ts'
import { entryIn } from './edit-manifest.ts'

const NO_EXTRA: ReadonlyMap<ByteString, ByteString> = new Map()

/**
 * Checks a changeset against its first parent's manifest text. Throws `usage` for what the formats
 * cannot hold, `unknown-file` for a file that should be there and is not.
 */
export function checkChangeset(changeset: NewChangeset, firstManifest: Uint8Array): void {
  const { user, time, timezoneSeconds, extra = NO_EXTRA, description, files } = changeset
  assertStorable({ user, time, timezoneSeconds, extra, description, files: [] })
  const paths = new Set<ByteString>()
  for (const change of files) {
    checkPath(change.path)
    if (paths.has(change.path)) {
      throw new RevlogError('usage', `${JSON.stringify(change.path)} is changed twice`)
    }
    paths.add(change.path)
    checkSource(change, firstManifest)
  }
}

function checkPath(path: ByteString): void {
  // Mercurial refuses line breaks of both kinds; NUL ends a path in the manifest.
  if (path !== '' && isByteString(path) && !/[\0\r\n]/.test(path)) return
  throw new RevlogError('usage', `${JSON.stringify(path)} cannot be the path of a file`)
}

function checkSource(change: FileChange, firstManifest: Uint8Array): void {
  const isThere = (path: ByteString): boolean => entryIn(firstManifest, path) !== undefined
  if (change.kind === 'remove' && !isThere(change.path)) {
    throw missingFile(change.path, 'cannot be removed')
  }
  if (change.kind !== 'write' || change.copiedFrom === undefined) return
  if (!isThere(change.copiedFrom)) throw missingFile(change.copiedFrom, 'cannot be copied')
}

/** The error for a file that should be there. */
export function missingFile(path: ByteString, what: string): RevlogError {
  return new RevlogError('unknown-file', `${JSON.stringify(path)} ${what}: it is not there`)
}
