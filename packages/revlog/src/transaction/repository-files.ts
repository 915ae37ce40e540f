/**
 * Files of a repository as transactions handle them: where they are, kept copies, replacing in one
 * step. A copy is a link where the file system has links; so a file with a copy is never written to,
 * only replaced.
 */
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf, RevlogError, reasonOf } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import type { FilePlace } from './journal-format.ts'

/** What a transaction knows of a repository. */
export interface RepositoryPlace {
  readonly root: string
  /** Where a store file is on disk. */
  storePath(path: ByteString): string
}

/** Where a file is on disk. */
export function diskPath(repository: RepositoryPlace, { location, path }: FilePlace): string {
  return location === 'store' ? repository.storePath(path) : join(repository.root, '.hg', path)
}

/** Keeps what is at `from` at `to` as well, in the place of what was there. False without a source. */
export function keepCopy(from: string, to: string): boolean {
  return guarded(to, () => {
    rmSync(to, { force: true })
    try {
      linkSync(from, to)
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return false
      copyFileSync(from, to, constants.COPYFILE_FICLONE)
    }
    return true
  })
}

/** Puts a kept copy back over `path`; the copy stays, so that this can be done again. */
export function restoreCopy(copy: string, path: string): void {
  guarded(path, () => {
    mkdirSync(dirname(path), { recursive: true })
    const beside = besideName(path)
    if (!keepCopy(copy, beside)) throw new Error(`${copy} is not there`)
    renameSync(beside, path)
    // Two links to one file: renaming did nothing.
    rmSync(beside, { force: true })
  })
}

/** Replaces a file, or makes it, in one step. */
export function replaceFile(path: string, bytes: Uint8Array): void {
  guarded(path, () => {
    const beside = besideName(path)
    rmSync(beside, { force: true })
    writeFileSync(beside, bytes)
    renameSync(beside, path)
  })
}

/** The name under which a file's successor is written. */
export function besideName(path: string): string {
  return join(dirname(path), `.${basename(path)}-new~`)
}

/** Throws `system` with the file's name in place of what the system throws. */
export function guarded<Result>(path: string, action: () => Result): Result {
  try {
    return action()
  } catch (cause) {
    if (cause instanceof RevlogError) throw cause
    throw new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
  }
}
