/**
 * The files of a revlog that is being written. Chunks wait in memory until a flush and are then
 * written in few calls: into the index file while the data is small (inline), else into a data file,
 * always before the index entries that name them, so that a reader never sees an entry without its
 * data. There is no journal: a crash between the two leaves data that nothing names, which the next
 * writer cuts off.
 */
import { closeSync, openSync, readSync, renameSync } from 'node:fs'
import { RevlogError, reasonOf } from '../errors.ts'
import { ENTRY_SIZE, MAX_INLINE_BYTES, REVLOG_VERSION } from '../format/constants.ts'
import { mergeHeader } from '../format/header.ts'
import { appendAt } from './grow-file.ts'
import type { IndexTable } from './index-table.ts'

/** Where a revlog lies. The two names are not always alike: long ones are hashed with their suffix. */
export interface RevlogPaths {
  readonly indexPath: string
  readonly dataPath: string
}

/** What is on disk already. */
export interface RevlogOnDisk {
  readonly revisions: number
  readonly inline: boolean
}

/** The files of one revlog; nothing is open between two calls. */
export class RevlogFiles {
  readonly #paths: RevlogPaths
  readonly #index: IndexTable
  readonly #waiting: Uint8Array[] = []
  #onDisk: RevlogOnDisk
  #waitingBytes = 0

  constructor(paths: RevlogPaths, index: IndexTable, onDisk: RevlogOnDisk) {
    this.#paths = paths
    this.#index = index
    this.#onDisk = onDisk
  }

  /** Bytes that the next flush writes, entries included. */
  get waitingBytes(): number {
    return this.#waitingBytes + this.#waiting.length * ENTRY_SIZE
  }

  /** Whether the data lies (or, before the first flush, will lie) in its own file. */
  get split(): boolean {
    return !this.#onDisk.inline || this.#index.dataLength >= MAX_INLINE_BYTES
  }

  /** Takes the chunk of the revision that was appended last. */
  add(chunk: Uint8Array): void {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
  }

  /** The chunks of revisions in ascending order. Throws `corrupt` when the file is cut short. */
  chunks(revs: readonly number[]): readonly Uint8Array[] {
    const flushed = this.#onDisk.revisions
    const stored = revs.filter((rev) => rev < flushed)
    const read = stored.length === 0 ? [] : this.#readStored(stored)
    const waiting = revs.filter((rev) => rev >= flushed)
    return [...read, ...waiting.map((rev) => this.#waiting[rev - flushed] ?? new Uint8Array(0))]
  }

  /** Writes what waits. Throws `system` when the operating system refuses. */
  flush(): void {
    if (this.#waiting.length === 0) return
    try {
      if (!this.split) this.#appendInline()
      else if (this.#onDisk.inline && this.#onDisk.revisions > 0) this.#convertToSplit()
      else this.#appendSplit()
    } catch (cause) {
      if (cause instanceof RevlogError) throw cause
      const why = reasonOf(cause)
      throw new RevlogError('system', `${this.#paths.indexPath}: cannot be written: ${why}`, {
        cause,
      })
    }
    this.#onDisk = { revisions: this.#index.length, inline: !this.split }
    this.#waiting.length = 0
    this.#waitingBytes = 0
  }

  #appendInline(): void {
    const { revisions } = this.#onDisk
    const start = revisions === 0 ? 0 : this.#index.offset(revisions) + revisions * ENTRY_SIZE
    const pieces: Uint8Array[] = []
    for (let rev = revisions; rev < this.#index.length; rev += 1) {
      pieces.push(this.#entriesForDisk(rev, rev + 1, true), this.#waiting[rev - revisions] ?? EMPTY)
    }
    appendAt(this.#paths.indexPath, start, pieces)
  }

  #appendSplit(): void {
    const { revisions } = this.#onDisk
    const dataStart = revisions === 0 ? 0 : this.#index.offset(revisions)
    appendAt(this.#paths.dataPath, dataStart, this.#waiting)
    const entries = this.#entriesForDisk(revisions, this.#index.length, false)
    appendAt(this.#paths.indexPath, revisions * ENTRY_SIZE, [entries])
  }

  /** Moves the data out of the index file: the data file first, then a new index over the old. */
  #convertToSplit(): void {
    const stored = Array.from({ length: this.#onDisk.revisions }, (_, rev) => rev)
    appendAt(this.#paths.dataPath, 0, [...this.#readStored(stored), ...this.#waiting])
    const beside = `${this.#paths.indexPath}.new`
    appendAt(beside, 0, [this.#entriesForDisk(0, this.#index.length, false)])
    renameSync(beside, this.#paths.indexPath)
  }

  /** Entries as a file holds them: the header lies over the first. */
  #entriesForDisk(first: number, end: number, inline: boolean): Uint8Array {
    const entries = this.#index.entries(first, end)
    if (first > 0) return entries
    const copy = entries.slice()
    const { generaldelta } = this.#index
    mergeHeader(copy, { version: REVLOG_VERSION, inline, generaldelta })
    return copy
  }

  #readStored(revs: readonly number[]): readonly Uint8Array[] {
    const { inline } = this.#onDisk
    const path = inline ? this.#paths.indexPath : this.#paths.dataPath
    const fd = openSync(path, 'r')
    try {
      return revs.map((rev) => {
        const start = this.#index.offset(rev) + (inline ? (rev + 1) * ENTRY_SIZE : 0)
        const chunk = new Uint8Array(this.#index.compressedLength(rev))
        if (readSync(fd, chunk, 0, chunk.length, start) === chunk.length) return chunk
        throw new RevlogError('corrupt', `${path}: revision ${rev} is cut short; run \`hg verify\``)
      })
    } finally {
      closeSync(fd)
    }
  }
}

const EMPTY = new Uint8Array(0)
