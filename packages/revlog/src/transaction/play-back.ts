/**
 * Undoes an interrupted transaction by its journal: files that grew are cut back, new ones removed,
 * replaced ones restored. Whoever interrupts this can begin it again: the journal goes last.
 */
import { readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { type JournalBackup, parseBackups, parseGrowths } from './journal-format.ts'
import { diskPath, guarded, type RepositoryPlace, restoreCopy } from './repository-files.ts'

/** Names of the files that a transaction of Mercurial keeps beside its journal, in .hg. */
export const JOURNAL_COMPANIONS = ['dirstate', 'branch', 'desc', 'bookmarks'] as const

/** Whether there is an interrupted transaction, or one that goes on. */
export function hasJournal({ root }: RepositoryPlace): boolean {
  return statSync(journalPath(root), { throwIfNoEntry: false }) !== undefined
}

/** Undoes it, with the store's lock held. Throws `corrupt` when the files are not those it tells of. */
export function playBack(repository: RepositoryPlace): void {
  const journal = journalPath(repository.root)
  const growths = parseGrowths(readOrEmpty(journal))
  const backups = parseBackups(readOrEmpty(`${journal}.backupfiles`))
  undoAll([
    ...[...growths].map(([path, length]) => () => {
      cutBack(repository.storePath(path), path, length)
    }),
    ...backups.map((backup) => () => {
      restore(repository, backup)
    }),
  ])
  guarded(journal, () => {
    rmSync(journal, { force: true })
    rmSync(`${journal}.backupfiles`, { force: true })
    for (const { location, backup } of backups) {
      if (backup === '') continue
      rmSync(diskPath(repository, { location, path: backup }), { force: true })
    }
    rmSync(`${journal}.phaseroots`, { force: true })
    for (const name of JOURNAL_COMPANIONS) {
      rmSync(join(repository.root, '.hg', `journal.${name}`), { force: true })
    }
  })
}

/** What can be undone is, also where something cannot: the first error is thrown after the last step. */
function undoAll(steps: readonly (() => void)[]): void {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** The journal of a repository. */
export function journalPath(root: string): string {
  return join(root, '.hg', 'store', 'journal')
}

function cutBack(file: string, path: ByteString, length: number): void {
  guarded(file, () => {
    if (length === 0) {
      rmSync(file, { force: true })
      return
    }
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined || size < length) {
      throw new RevlogError(
        'corrupt',
        `attempted to truncate ${path} to ${length} bytes, but it was already ${size ?? 0} bytes`,
      )
    }
    if (size > length) truncateSync(file, length)
  })
}

function restore(repository: RepositoryPlace, entry: JournalBackup): void {
  const { location, path, backup, cache } = entry
  if (path === '') return
  const file = diskPath(repository, entry)
  if (backup === '') {
    guarded(file, () => rmSync(file, { force: true }))
    return
  }
  try {
    restoreCopy(diskPath(repository, { location, path: backup }), file)
  } catch (error) {
    if (!cache) throw error
  }
}

function readOrEmpty(path: string): Uint8Array {
  return guarded(path, () => {
    try {
      return readFileSync(path)
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return new Uint8Array(0)
      throw cause
    }
  })
}
