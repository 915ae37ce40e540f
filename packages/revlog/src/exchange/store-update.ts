/**
 * One change of a repository from outside, all or nothing: a transaction and the revlogs that grow in
 * it. The changelog's entries are written last of all, after everything that they name, so that
 * whoever reads meanwhile sees the repository as it was or as it will be. Locks are the caller's.
 */
import type { ByteString } from '../format/byte-string.ts'
import { removeNodemapData, replaceNodemap } from '../nodemap/replace-nodemap.ts'
import type { Revlog } from '../reader/revlog.ts'
import { type OpenRepositoryOptions, openRepository, type Repository } from '../repository/open.ts'
import { formatOf } from '../repository/repository-layout.ts'
import { appendToFncache } from '../store/fncache.ts'
import { openTransaction, type Transaction } from '../transaction/transaction.ts'
import { type AppendSettings, RevlogAppender } from '../writer/revlog-appender.ts'
import { createTextCache, type TextCache } from '../writer/text-cache.ts'
import { type PhaseUpdate, phaseUpdate } from './phase-update.ts'

/** Texts kept for the next deltas, over all revlogs together. */
const TEXT_CACHE_BYTES = 32 * 1024 * 1024

/** How a repository is changed. */
export interface StoreUpdateOptions {
  readonly root: string
  /** How its indexes are read. */
  readonly access: OpenRepositoryOptions
  /** What `hg rollback` calls the change: the command. */
  readonly description: string
  /** Keep the base that a delta came with, where that is acceptable; false if not given. */
  readonly preferGiven?: boolean
  /** Told, before the error is thrown, that what was begun is undone; Mercurial's words. */
  readonly onRollback?: (message: string) => void
}

/** A change until it is committed. */
export interface StoreUpdate {
  readonly repository: Repository
  readonly transaction: Transaction
  readonly changelog: RevlogAppender
  readonly manifest: RevlogAppender
  readonly phases: PhaseUpdate
  /** The revlog of a tracked path; finished and closed by the caller before the next one. */
  filelog(path: ByteString): RevlogAppender
}

/** A change that was begun: committed or rolled back, then closed. */
export interface BegunUpdate {
  readonly update: StoreUpdate
  /** Writes what is not on disk yet and makes it valid. */
  commit(): void
  /** Puts everything back as it was. */
  rollback(): void
  close(): void
}

/**
 * Begins a change of the repository, whose locks the caller holds. Throws `abandoned-transaction`,
 * `system`.
 */
export function beginUpdate(options: StoreUpdateOptions): BegunUpdate {
  const { root, access, description, preferGiven = false } = options
  const repository = openRepository(root, access)
  try {
    const changesets = repository.changelog.length
    const transaction = openTransaction({ repository, description, changesets })
    const growing = new GrowingStore(repository, transaction, preferGiven)
    let obsoleteNodemaps: readonly string[] = []
    return {
      update: growing,
      commit() {
        growing.finish()
        transaction.commit()
        obsoleteNodemaps = growing.obsoleteNodemaps
      },
      rollback: () => transaction.rollback(),
      close() {
        repository.close()
        removeNodemapData(obsoleteNodemaps)
      },
    }
  } catch (error) {
    repository.close()
    throw error
  }
}

/**
 * Runs `action` on the repository, whose locks the caller holds, and commits what it did; on any error
 * everything is put back. Throws `abandoned-transaction`, `system`, and what the action throws.
 */
export function updateStore<Result>(
  options: StoreUpdateOptions,
  action: (update: StoreUpdate) => Result,
): Result {
  const { onRollback = () => undefined } = options
  const begun = beginUpdate(options)
  try {
    const result = action(begun.update)
    begun.commit()
    return result
  } catch (error) {
    onRollback('transaction abort!')
    begun.rollback()
    onRollback('rollback completed')
    throw error
  } finally {
    begun.close()
  }
}

class GrowingStore implements StoreUpdate {
  readonly repository: Repository
  readonly transaction: Transaction
  readonly changelog: RevlogAppender
  readonly manifest: RevlogAppender
  readonly #settings: AppendSettings
  readonly #texts: TextCache = createTextCache(TEXT_CACHE_BYTES)
  readonly #newFiles: ByteString[] = []
  #phases: PhaseUpdate | undefined

  constructor(repository: Repository, transaction: Transaction, preferGiven: boolean) {
    this.repository = repository
    this.transaction = transaction
    this.#settings = { ...settingsOf(repository), preferGiven }
    this.changelog = this.#appender('00changelog', repository.changelog, true)
    this.manifest = this.#appender('00manifest', repository.manifest, false)
  }

  get phases(): PhaseUpdate {
    this.#phases ??= phaseUpdate(this.repository, this.changelog.index)
    return this.#phases
  }

  filelog(path: ByteString): RevlogAppender {
    return this.#appender(`data/${path}`, this.repository.filelogToWrite(path), false)
  }

  /** Data files of nodemaps that others have taken the place of. */
  readonly obsoleteNodemaps: string[] = []

  /** Writes what is not on disk yet: what is named before what names it. */
  finish(): void {
    this.manifest.finish()
    this.#writeFncache()
    const roots = this.#phases?.changedRoots()
    if (roots !== undefined) {
      this.transaction.replace({ location: 'store', path: 'phaseroots' }, roots)
    }
    this.changelog.finish()
    if (this.repository.requirements.has('persistent-nodemap')) this.#writeNodemaps()
  }

  #writeNodemaps(): void {
    for (const [name, { index }] of [
      ['00changelog.i', this.changelog],
      ['00manifest.i', this.manifest],
    ] as const) {
      if (index.length === index.oldLength) continue
      const grown = {
        nodes: index,
        nodemapBefore: index.old.nodemap,
        indexName: name,
        indexPath: this.repository.storePath(name),
      }
      const obsolete = replaceNodemap(grown, this.transaction)
      if (obsolete !== undefined) this.obsoleteNodemaps.push(obsolete)
    }
  }

  #appender(name: ByteString, revlog: Revlog, fullTexts: boolean): RevlogAppender {
    const [indexName, dataName] = [`${name}.i`, `${name}.d`]
    return new RevlogAppender({
      revlog,
      paths: {
        indexName,
        indexPath: this.repository.storePath(indexName),
        dataName,
        dataPath: this.repository.storePath(dataName),
      },
      settings: this.#settings,
      fullTexts,
      transaction: this.transaction,
      texts: this.#texts,
      onNewFile: (file) => this.#newFiles.push(file),
    })
  }

  #writeFncache(): void {
    const tracked = this.#newFiles.filter((name) => name.startsWith('data/'))
    if (tracked.length === 0 || !this.repository.requirements.has('fncache')) return
    const before = this.repository.metaFile('store/fncache') ?? new Uint8Array(0)
    const after = appendToFncache(before, tracked)
    if (after !== undefined) {
      this.transaction.replace({ location: 'store', path: 'fncache' }, after)
    }
  }
}

/** How a repository's requirements say that revisions are stored. */
function settingsOf({ requirements }: Repository): Omit<AppendSettings, 'preferGiven'> {
  const { compression, generaldelta, sparse } = formatOf(requirements)
  return { compression, generaldelta, sparse }
}
