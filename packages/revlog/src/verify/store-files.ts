/**
 * The files that a store is said to have: those of its fncache, or without one those in its folder.
 * A check takes from the list what it meets; what is left belongs to nothing.
 */
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { RevlogError, reasonOf } from '../errors.ts'
import { type ByteString, byteString } from '../format/byte-string.ts'
import type { Repository } from '../repository/open.ts'
import { decodeDirs } from '../store/encode-path.ts'
import { fileBytes } from './check-revlog.ts'

/** Store files that were not met yet, by the names before their encoding. */
export interface StoreFiles {
  /** Takes a file from the list; false where it is not in it. */
  take(name: ByteString): boolean
  /** What is left and there, in byte order. */
  left(): readonly ByteString[]
}

/** Reads the list. Throws `corrupt` for an fncache that cannot be understood. */
export function storeFiles(repository: Repository): StoreFiles {
  const names = new Set(
    repository.requirements.has('fncache') ? listedFiles(repository) : foundFiles(repository),
  )
  return {
    take: (name) => names.delete(name),
    left: () =>
      [...names].filter((name) => (fileBytes(repository.storePath(name)) ?? 0) > 0).sort(byBytes),
  }
}

/** Mercurial's words for what is wrong with the list. */
function listedFiles(repository: Repository): ByteString[] {
  const bytes = repository.metaFile('store/fncache') ?? new Uint8Array(0)
  if (bytes.length === 0) return []
  const text = byteString(bytes)
  if (!text.endsWith('\n')) {
    throw new RevlogError(
      'corrupt',
      "fncache does not ends with a newline\n(use 'hg debugrebuildfncache' to rebuild the fncache)",
    )
  }
  const lines = text.slice(0, -1).split('\n')
  const empty = lines.indexOf('')
  if (empty >= 0) {
    throw new RevlogError('corrupt', `invalid entry in fncache, line ${empty + 1}`)
  }
  return lines.map(decodeDirs)
}

/** All revlog files under data/, by their names as they were before the simple encoding. */
function foundFiles(repository: Repository): ByteString[] {
  const store = join(repository.root, '.hg', 'store')
  const found: ByteString[] = []
  for (const entry of entriesUnder(join(store, 'data'))) {
    if (!/\.[id]$/.test(entry)) continue
    const encoded = Buffer.from(relative(store, entry).split(sep).join('/')).toString('latin1')
    found.push(decodeDirs(decodeChars(encoded)))
  }
  return found
}

function entriesUnder(folder: string): string[] {
  try {
    const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    return all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (cause) {
    if (fileBytes(folder) === undefined) return []
    throw new RevlogError('system', `${folder}: ${reasonOf(cause)}`, { cause })
  }
}

/** `_x` is X, `__` is _, `~xx` is the byte of that number. */
function decodeChars(encoded: ByteString): ByteString {
  return encoded.replace(/_(.)|~([0-9a-f]{2})/g, (_all, char?: string, hex?: string) =>
    char === undefined ? String.fromCharCode(Number.parseInt(hex ?? '', 16)) : char.toUpperCase(),
  )
}

function byBytes(a: ByteString, b: ByteString): number {
  return a < b ? -1 : 1
}
