/**
 * Appends revisions to one revlog (version 1): computes nodes, chooses deltas, keeps the index and
 * hands chunks to the files. A text that is here already (same node) is not stored twice. Nothing is
 * on disk before flush(); locks and the order between revlogs are left to the caller.
 */
import type { CompressionName } from '../compression/index.ts'
import { compressChunk, decompressChunk } from '../compression/index.ts'
import { applyDeltas } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import { NULL_REV } from '../format/constants.ts'
import { hashText } from '../reader/hash-text.ts'
import { chooseDelta, type StoredForm } from './choose-delta.ts'
import type { IndexTable } from './index-table.ts'
import { loadIndexTable } from './load-index-table.ts'
import { RevlogFiles, type RevlogPaths } from './revlog-files.ts'
import { createTextCache, type TextCache } from './text-cache.ts'

/** How a revlog is written. */
export interface RevlogWriterOptions extends RevlogPaths {
  readonly compression: CompressionName
  /** For a new revlog: deltas may be against any revision. An existing one keeps what it is. */
  readonly generaldelta: boolean
  /** Make intermediate snapshots (sparse-revlog); only with generaldelta. */
  readonly sparse: boolean
  /** Store every text in full, as Mercurial does in the changelog. */
  readonly fullTexts?: boolean
  /** Texts to share with other revlogs under one limit; a cache of 8 MiB of its own if not given. */
  readonly textCache?: TextCache
}

/** A revision to append. */
export interface NewRevision {
  readonly text: Uint8Array
  /** Parents' revisions, -1 for none. */
  readonly p1: number
  readonly p2: number
  /** The changelog revision that it belongs to. */
  readonly linkRev: number
  /** Revision flags, 0 if not given. */
  readonly flags?: number
}

/** What append() did. */
export interface AppendedRevision {
  readonly rev: number
  /** False when the same node was here before; the link revision is then the older one. */
  readonly added: boolean
}

const OWN_CACHE_BYTES = 8 * 1024 * 1024

/**
 * Opens a revlog for appending, or starts a new one; an existing index is read whole. Throws
 * `corrupt`, `unknown-format`, or `usage` for sparse without generaldelta.
 */
export function openRevlogWriter(options: RevlogWriterOptions): RevlogWriter {
  if (options.sparse && !options.generaldelta) {
    throw new RevlogError('usage', 'sparse-revlog needs generaldelta: switch both on or sparse off')
  }
  return new RevlogWriter(options)
}

/** A revlog that is being written. What was not flushed is lost when it is dropped. */
export class RevlogWriter {
  readonly #options: RevlogWriterOptions
  readonly #index: IndexTable
  readonly #files: RevlogFiles
  readonly #texts: TextCache
  readonly #owner: number

  constructor(options: RevlogWriterOptions) {
    const { index, onDisk } = loadIndexTable(options.indexPath, options.generaldelta)
    this.#options = options
    this.#index = index
    this.#files = new RevlogFiles(options, index, onDisk)
    this.#texts = options.textCache ?? createTextCache(OWN_CACHE_BYTES)
    this.#owner = this.#texts.register()
  }

  /** Number of revisions, with those that wait for a flush. */
  get length(): number {
    return this.#index.length
  }

  /** Bytes that the next flush writes. */
  get waitingBytes(): number {
    return this.#files.waitingBytes
  }

  /** Whether the data lies in its own file: `.d` exists after the next flush. */
  get split(): boolean {
    return this.#files.split
  }

  /** The revision's 20-byte node; the null node for -1. */
  node(rev: number): Uint8Array {
    return this.#index.node(rev)
  }

  /** The revision of a node: -1 for the null node, undefined when it is not here. */
  findRev(node: Uint8Array): number | undefined {
    return this.#index.findRev(node)
  }

  /** Both parents, -1 for none. */
  parents(rev: number): readonly [number, number] {
    return [this.#index.p1(rev), this.#index.p2(rev)]
  }

  /** The changelog revision that a revision belongs to. */
  linkRev(rev: number): number {
    return this.#index.linkRev(rev)
  }

  /** Appends a revision. The text must not be changed afterwards: it may be kept as a delta base. */
  append(revision: NewRevision): AppendedRevision {
    const { text, p1, p2, linkRev, flags = 0 } = revision
    this.#checkParent(p1)
    this.#checkParent(p2)
    const node = Buffer.from(hashText(this.node(p1), this.node(p2), text), 'hex')
    const known = this.#index.findRev(node)
    if (known !== undefined) return { rev: known, added: false }
    const { chunk, baseRev } = this.#form(revision)
    const rev = this.#index.append({
      offset: this.#index.dataLength,
      flags,
      compressedLength: chunk.length,
      uncompressedLength: text.length,
      baseRev,
      linkRev,
      p1,
      p2,
      node,
    })
    this.#files.add(chunk)
    if (this.#options.fullTexts !== true) this.#texts.set(this.#owner, rev, text)
    return { rev, added: true }
  }

  /** A revision's text; empty for -1. Shared with the cache: do not write into it. */
  text(rev: number): Uint8Array {
    if (rev === NULL_REV) return new Uint8Array(0)
    this.#checkParent(rev)
    const chain: number[] = []
    let from = rev
    let known = this.#texts.get(this.#owner, from)
    while (known === undefined && from !== NULL_REV) {
      chain.push(from)
      const base = this.#index.deltaParent(from)
      if (base === from) break
      from = base
      known = from === NULL_REV ? new Uint8Array(0) : this.#texts.get(this.#owner, from)
    }
    if (known !== undefined && chain.length === 0) return known
    const text = this.#build(chain.reverse(), known)
    this.#texts.set(this.#owner, rev, text)
    return text
  }

  /** Writes what waits: data first, then the index entries. Throws `system`. */
  flush(): void {
    this.#files.flush()
  }

  #form(revision: NewRevision): StoredForm {
    const { compression, sparse, fullTexts = false } = this.#options
    if (fullTexts) {
      return { chunk: compressChunk(revision.text, compression), baseRev: this.#index.length }
    }
    const context = {
      index: this.#index,
      compression,
      sparse: sparse && this.#index.generaldelta,
      textOf: (rev: number) => this.text(rev),
    }
    return chooseDelta(context, revision)
  }

  /** The text of a chain's last revision: from `known` on, or from its first chunk as full text. */
  #build(chain: readonly number[], known: Uint8Array | undefined): Uint8Array {
    const chunks = this.#files.chunks(chain).map((chunk) => decompressChunk(chunk))
    if (known !== undefined) return applyDeltas(known, chunks)
    const [full = new Uint8Array(0), ...deltas] = chunks
    return applyDeltas(full, deltas)
  }

  #checkParent(rev: number): void {
    if (Number.isInteger(rev) && rev >= NULL_REV && rev < this.#index.length) return
    throw new RevlogError(
      'unknown-revision',
      `${this.#options.indexPath}: there is no revision ${rev} among ${this.#index.length}`,
    )
  }
}
