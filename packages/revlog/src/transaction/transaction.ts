/**
 * All or nothing for the files of a repository, in Mercurial's form: `hg recover` undoes what this
 * left behind when it was killed, `hg rollback` what it completed. Each change is written into the
 * journal before it is made. Nothing is forced to disk, as in Mercurial: it protects against the death
 * of the process, not of the machine. Locks are the caller's.
 */
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf, RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import {
  BACKUP_HEADER,
  type FilePlace,
  type JournalBackup,
  parseBackups,
  serializeBackup,
  serializeGrowth,
} from './journal-format.ts'
import { hasJournal, JOURNAL_COMPANIONS, journalPath, playBack } from './play-back.ts'
import {
  diskPath,
  guarded,
  keepCopy,
  type RepositoryPlace,
  replaceFile,
} from './repository-files.ts'

/** What a transaction is for. */
export interface TransactionOptions {
  readonly repository: RepositoryPlace
  /** What `hg rollback` calls it: the command. */
  readonly description: string
  /** Number of changesets before it. */
  readonly changesets: number
}

/** A transaction until commit() or rollback(). */
export interface Transaction {
  /** A store file of `length` bytes is going to grow; 0 for one that is not there yet. */
  add(path: ByteString, length: number): void
  /** The length that add() was told first; undefined where it was not called. */
  lengthBefore(path: ByteString): number | undefined
  /** A file is going to be replaced by another one, or made. Its content is kept until the end. */
  keep(place: FilePlace): void
  /** Replaces a file, or makes it, in one step. */
  replace(place: FilePlace, bytes: Uint8Array): void
  commit(): void
  /** Puts everything back as it was. */
  rollback(): void
}

/** Begins a transaction. Throws `abandoned-transaction`, `system`. */
export function openTransaction(options: TransactionOptions): Transaction {
  if (hasJournal(options.repository)) {
    // Mercurial's words.
    throw new RevlogError(
      'abandoned-transaction',
      "abandoned transaction found\n(run 'hg recover' to clean up transaction)",
    )
  }
  return new JournaledTransaction(options)
}

class JournaledTransaction implements Transaction {
  readonly #repository: RepositoryPlace
  readonly #journal: string
  readonly #kept = new Map<string, JournalBackup>()
  readonly #growing = new Map<ByteString, number>()
  readonly #fd: number
  readonly #backupFd: number
  #open = true

  constructor({ repository, description, changesets }: TransactionOptions) {
    this.#repository = repository
    this.#journal = journalPath(repository.root)
    writeCompanions(repository, `${changesets}\n${description}\n`)
    this.#backupFd = guarded(this.#journal, () => openSync(`${this.#journal}.backupfiles`, 'w'))
    guarded(this.#journal, () => writeSync(this.#backupFd, BACKUP_HEADER))
    this.#fd = guarded(this.#journal, () => openSync(this.#journal, 'w'))
  }

  add(path: ByteString, length: number): void {
    if (this.#growing.has(path)) return
    this.#growing.set(path, length)
    guarded(this.#journal, () => writeSync(this.#fd, serializeGrowth(path, length)))
  }

  lengthBefore(path: ByteString): number | undefined {
    return this.#growing.get(path)
  }

  keep(place: FilePlace): void {
    const file = diskPath(this.#repository, place)
    if (this.#kept.has(file)) return
    const backup = backupName('journal', place.path)
    const target = diskPath(this.#repository, { ...place, path: backup })
    const entry: JournalBackup = {
      location: place.location,
      path: place.path,
      backup: keepCopy(file, target) ? backup : '',
      cache: false,
    }
    guarded(this.#journal, () => writeSync(this.#backupFd, serializeBackup(entry)))
    this.#kept.set(file, entry)
  }

  replace(place: FilePlace, bytes: Uint8Array): void {
    this.keep(place)
    replaceFile(diskPath(this.#repository, place), bytes)
  }

  commit(): void {
    this.#close()
    const { root } = this.#repository
    const store = join(root, '.hg', 'store')
    guarded(this.#journal, () => {
      this.#writeUndoBackups(store)
      // From here on it is done: without a journal there is nothing to recover.
      renameSync(this.#journal, join(store, 'undo'))
      rmSync(`${this.#journal}.backupfiles`, { force: true })
      this.#removeBackups()
      renameSync(`${this.#journal}.phaseroots`, join(store, 'undo.phaseroots'))
      for (const name of JOURNAL_COMPANIONS) renameCompanion(root, name)
    })
  }

  rollback(): void {
    if (this.#open) this.#close()
    playBack(this.#repository)
  }

  /** What was kept stays for `hg rollback`, in the place of what the last transaction kept. */
  #writeUndoBackups(store: string): void {
    for (const { location, backup } of readUndoBackups(store)) {
      if (backup === '') continue
      rmSync(diskPath(this.#repository, { location, path: backup }), { force: true })
    }
    const lines = [...this.#kept.values()].map((entry) => {
      if (entry.backup === '') return serializeBackup(entry)
      const undo = { ...entry, backup: backupName('undo', entry.path) }
      keepCopy(
        diskPath(this.#repository, { ...entry, path: entry.backup }),
        diskPath(this.#repository, { ...entry, path: undo.backup }),
      )
      return serializeBackup(undo)
    })
    const bytes = Buffer.concat([Buffer.from(BACKUP_HEADER), ...lines])
    writeFileSync(join(store, 'undo.backupfiles'), bytes)
  }

  #removeBackups(): void {
    for (const entry of this.#kept.values()) {
      if (entry.backup === '') continue
      rmSync(diskPath(this.#repository, { ...entry, path: entry.backup }), { force: true })
    }
  }

  #close(): void {
    if (!this.#open) throw new RevlogError('closed', `${this.#journal}: the transaction is over`)
    this.#open = false
    closeSync(this.#fd)
    closeSync(this.#backupFd)
  }
}

/** `data/dir/journal.backup.file.i`: beside the file itself. */
function backupName(kind: 'journal' | 'undo', path: ByteString): ByteString {
  const at = path.lastIndexOf('/') + 1
  return `${path.slice(0, at)}${kind}.backup.${path.slice(at)}`
}

/** What `hg rollback` needs beside the store: dirstate, branch, bookmarks and phases as they are. */
function writeCompanions({ root }: RepositoryPlace, description: string): void {
  const hg = join(root, '.hg')
  guarded(hg, () => {
    keepCopy(join(hg, 'dirstate'), join(hg, 'journal.dirstate'))
    writeFileSync(join(hg, 'journal.branch'), readOr(join(hg, 'branch'), 'default'))
    writeFileSync(join(hg, 'journal.desc'), description)
    writeFileSync(join(hg, 'journal.bookmarks'), readOr(join(hg, 'bookmarks'), ''))
    const phaseroots = readOr(join(hg, 'store', 'phaseroots'), '')
    writeFileSync(join(hg, 'store', 'journal.phaseroots'), phaseroots)
  })
}

function renameCompanion(root: string, name: string): void {
  const from = join(root, '.hg', `journal.${name}`)
  const to = join(root, '.hg', `undo.${name}`)
  try {
    // Where both are links to one file, renaming alone would leave both.
    rmSync(to, { force: true })
    renameSync(from, to)
  } catch (cause) {
    // A repository without a working directory has no dirstate.
    if (codeOf(cause) !== 'ENOENT') throw cause
  }
}

function readUndoBackups(store: string): JournalBackup[] {
  try {
    return parseBackups(readFileSync(join(store, 'undo.backupfiles')))
  } catch {
    // None, or one that nobody can read: it is about to be replaced.
    return []
  }
}

function readOr(path: string, otherwise: string): string | Uint8Array {
  try {
    return readFileSync(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return otherwise
    throw cause
  }
}
