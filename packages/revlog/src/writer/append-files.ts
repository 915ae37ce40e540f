/**
 * The files of a revlog that grows inside a transaction. Chunks wait in memory; once there are many
 * they go to the data file, if there is one, so that memory does not grow with what is appended. The
 * index entries are written at the end and all at once, so that a reader never sees an entry without
 * its data. A file with several names, as after a local clone, is copied before it is written to.
 */
import { closeSync, openSync, readSync, renameSync } from 'node:fs'
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { ENTRY_SIZE, MAX_INLINE_BYTES, REVLOG_VERSION } from '../format/constants.ts'
import { mergeHeader } from '../format/header.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'
import { besideName, guarded } from '../transaction/repository-files.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { appendAt } from './grow-file.ts'
import type { GrowingIndex } from './growing-index.ts'

/** Where a revlog lies: its store names and the files. */
export interface AppendPaths {
  readonly indexName: ByteString
  readonly indexPath: string
  readonly dataName: ByteString
  readonly dataPath: string
}

/** What files are written with. */
export interface AppendFilesOptions {
  readonly paths: AppendPaths
  readonly index: GrowingIndex
  readonly transaction: Transaction
  /** Told the store name of each file that was not there before. */
  readonly onNewFile: (name: ByteString) => void
}

/** Chunks that wait are written when they are this many bytes, and there is a data file. */
const SPILL_BYTES = 4 * 1024 * 1024

const NO_BYTES = new Uint8Array(0)

/** The files of one revlog, until finish(). */
export class AppendFiles {
  readonly #options: AppendFilesOptions
  readonly #index: GrowingIndex
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  /** The first revision whose chunk waits. */
  #firstWaiting: number
  /** The inline data has moved to a file of its own; the index has still to follow. */
  #moved = false

  constructor(options: AppendFilesOptions) {
    this.#options = options
    this.#index = options.index
    this.#firstWaiting = options.index.length
  }

  /** Takes the chunk of the revision that was appended last. */
  add(chunk: Uint8Array): void {
    // A small view would keep the whole piece of the stream that it is in.
    const view = chunk.byteLength < chunk.buffer.byteLength
    this.#waiting.push(view ? Uint8Array.prototype.slice.call(chunk) : chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes > SPILL_BYTES && this.#isSplit()) this.#spill()
  }

  /** The stored chunk of an added revision. */
  chunk(rev: number): Uint8Array {
    if (rev < this.#firstWaiting) return this.#readBack(rev)
    return this.#waiting[rev - this.#firstWaiting] ?? NO_BYTES
  }

  /** Writes what waits, the index entries last; nothing may be added afterwards. */
  finish(): void {
    const { index, paths } = this.#options
    if (index.length === index.oldLength) return
    guarded(paths.indexPath, () => {
      if (!this.#isSplit()) {
        this.#appendInline()
        return
      }
      this.#spill()
      if (this.#moved) this.#replaceIndex()
      else this.#appendEntries()
    })
  }

  /** Whether the data is, or is going to be, in a file of its own. */
  #isSplit(): boolean {
    const { old } = this.#index
    if (this.#moved || (old.header !== undefined && !old.inline)) return true
    if (this.#index.dataLength < MAX_INLINE_BYTES) return false
    // A file that grew before in this transaction has no copy to go back to: it stays as it is.
    const { transaction, paths } = this.#options
    return (transaction.lengthBefore(paths.indexName) ?? 0) === 0
  }

  #appendInline(): void {
    const { paths, index, transaction } = this.#options
    const start = index.old.access.bytes
    const entries = this.#entriesForDisk(true)
    const pieces = this.#waiting.flatMap((chunk, i) => [
      entries.subarray(i * ENTRY_SIZE, (i + 1) * ENTRY_SIZE),
      chunk,
    ])
    if (start === 0) this.#options.onNewFile(paths.indexName)
    transaction.add(paths.indexName, start)
    appendAt(paths.indexPath, start, pieces)
  }

  #appendEntries(): void {
    const { paths, index, transaction } = this.#options
    const start = index.oldLength * ENTRY_SIZE
    if (start === 0) this.#options.onNewFile(paths.indexName)
    transaction.add(paths.indexName, start)
    appendAt(paths.indexPath, start, [this.#entriesForDisk(false)])
  }

  /** Writes what waits to the data file. The first time, an inline revlog's data moves there. */
  #spill(): void {
    const { paths, index, transaction } = this.#options
    const { old } = index
    const first = this.#firstWaiting === index.oldLength
    const moves = first && old.inline
    if (first) {
      const isNew = moves || old.header === undefined
      if (isNew) this.#options.onNewFile(paths.dataName)
      transaction.add(paths.dataName, isNew ? 0 : index.oldDataLength)
    }
    const start = moves ? 0 : index.dataLength - this.#waitingBytes
    const chunks = moves ? [...oldChunks(old), ...this.#waiting] : this.#waiting
    guarded(paths.dataPath, () => appendAt(paths.dataPath, start, chunks))
    this.#moved ||= moves
    this.#firstWaiting = index.length
    this.#waiting = []
    this.#waitingBytes = 0
  }

  /** A new index over the inline one, of which a copy is kept. */
  #replaceIndex(): void {
    const { paths, index, transaction } = this.#options
    if (transaction.lengthBefore(paths.indexName) === undefined) {
      transaction.keep({ location: 'store', path: paths.indexName })
    }
    const entries = new Uint8Array(index.oldLength * ENTRY_SIZE)
    for (let rev = 0; rev < index.oldLength; rev++) {
      index.old.copyEntry(rev, entries, rev * ENTRY_SIZE)
    }
    const { generaldelta } = index
    mergeHeader(entries, { version: REVLOG_VERSION, inline: false, generaldelta })
    const beside = besideName(paths.indexPath)
    appendAt(beside, 0, [entries, index.addedEntries()])
    renameSync(beside, paths.indexPath)
  }

  /** The added entries as a file holds them: the header lies over the first of all. */
  #entriesForDisk(inline: boolean): Uint8Array {
    const entries = this.#index.addedEntries()
    if (this.#index.oldLength > 0) return entries
    const copy = entries.slice()
    const { generaldelta } = this.#index
    mergeHeader(copy, { version: REVLOG_VERSION, inline, generaldelta })
    return copy
  }

  #readBack(rev: number): Uint8Array {
    const { dataPath } = this.#options.paths
    return guarded(dataPath, () => {
      const fd = openSync(dataPath, 'r')
      try {
        const chunk = new Uint8Array(this.#index.compressedLength(rev))
        const read = readSync(fd, chunk, 0, chunk.length, this.#index.offset(rev))
        if (read === chunk.length) return chunk
        throw new RevlogError('corrupt', `${dataPath}: revision ${rev} is cut short`)
      } finally {
        closeSync(fd)
      }
    })
  }
}

function* oldChunks(old: RevlogIndex): Iterable<Uint8Array> {
  for (let rev = 0; rev < old.length; rev++) {
    const at = old.dataPosition(rev)
    yield old.inlineBytes(at, at + old.compressedLength(rev))
  }
}
