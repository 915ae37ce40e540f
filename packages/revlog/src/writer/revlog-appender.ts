/**
 * Appends revisions that come as deltas to an existing revlog (or to one that is not there yet),
 * inside a transaction: bases are found, texts rebuilt and checked against their nodes, and each is
 * stored as it came or by the limits of choose-delta. The old index is only looked at where it
 * matters. Nothing is visible before finish().
 */
import type { DeltaChunk } from '../changegroup/delta-chunk.ts'
import { type CompressionName, compressChunk, decompressChunk } from '../compression/index.ts'
import { applyDeltas, HUNK_HEAD_BYTES } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, hexOf } from '../format/byte-string.ts'
import {
  KNOWN_REVISION_FLAGS,
  NULL_REV,
  REVISION_CENSORED,
  REVISION_ELLIPSIS,
  REVISION_EXTSTORED,
} from '../format/constants.ts'
import { hashText } from '../reader/hash-text.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { AppendFiles, type AppendPaths } from './append-files.ts'
import { chooseDelta, type GivenDelta, type NewText, type StoredForm } from './choose-delta.ts'
import { GrowingIndex } from './growing-index.ts'
import type { TextCache } from './text-cache.ts'

/** How new revisions are stored. */
export interface AppendSettings {
  readonly compression: CompressionName
  /** For a revlog that is not there yet: deltas may be against any revision. */
  readonly generaldelta: boolean
  /** Make intermediate snapshots (sparse-revlog). */
  readonly sparse: boolean
  /** Keep the base that a delta came with (`storage.revlog.reuse-external-delta-parent`). */
  readonly preferGiven: boolean
}

/** What to append to, and how. */
export interface AppenderOptions {
  /** The revlog as it is; closed by close(). */
  readonly revlog: Revlog
  readonly paths: AppendPaths
  readonly settings: AppendSettings
  /** Store every text in full, as Mercurial does in the changelog. */
  readonly fullTexts?: boolean
  readonly transaction: Transaction
  readonly texts: TextCache
  readonly onNewFile: (name: ByteString) => void
}

/** What appendChunk() did. */
export interface AppendedChunk {
  readonly rev: number
  /** False when the node was here before. */
  readonly added: boolean
}

/** Two parents, -1 for none. */
export interface Parents {
  readonly p1: number
  readonly p2: number
}

/** Puts a revision's parents right before it is stored, where what came is known to be wrong. */
export type RepairParents = (text: Uint8Array, parents: Parents) => Parents

const NO_BYTES = new Uint8Array(0)

/** A revlog that grows, until close(). */
export class RevlogAppender {
  readonly index: GrowingIndex
  readonly #options: AppenderOptions
  readonly #files: AppendFiles
  readonly #owner: number

  constructor(options: AppenderOptions) {
    const { revlog, settings, paths, transaction, onNewFile, texts, fullTexts = false } = options
    this.#options = options
    this.index = new GrowingIndex(revlog.index, settings.generaldelta && !fullTexts)
    this.#files = new AppendFiles({ paths, index: this.index, transaction, onNewFile })
    this.#owner = texts.register()
  }

  /** Number of revisions, the appended ones included. */
  get length(): number {
    return this.index.length
  }

  /**
   * Appends the revision of a chunk. Throws `unknown-revision` for an unknown parent or base,
   * `hash-mismatch` for a text that is not the node's, `corrupt`, and what reading texts throws.
   */
  appendChunk(chunk: DeltaChunk, linkRev: number, repair?: RepairParents): AppendedChunk {
    const known = this.index.findRev(chunk.node)
    if (known !== undefined) return { rev: known, added: false }
    this.#checkFlags(chunk)
    const came = {
      p1: this.#find(chunk.p1, 'unknown parent'),
      p2: this.#find(chunk.p2, 'unknown parent'),
    }
    const baseRev = this.#find(chunk.deltaBase, 'unknown delta base')
    const given = { baseRev, delta: chunk.delta }
    const text = this.#patch(chunk, given)
    if ((chunk.flags & REVISION_CENSORED) === 0) this.#checkText(chunk, text)
    const parents = repair?.(text, came) ?? came
    const stored = this.#form({ text, ...parents, given })
    const rev = this.index.append({
      offset: this.index.dataLength,
      flags: chunk.flags,
      compressedLength: stored.chunk.length,
      uncompressedLength: text.length,
      baseRev: stored.baseRev,
      linkRev,
      ...parents,
      node: chunk.node,
    })
    this.#files.add(stored.chunk)
    this.#options.texts.set(this.#owner, rev, text)
    return { rev, added: true }
  }

  /** A revision's text; empty for -1. Shared with caches: do not write into it. */
  text(rev: number): Uint8Array {
    const { texts, revlog } = this.#options
    const deltas: Uint8Array[] = []
    for (let at = rev; ; ) {
      if (at === NULL_REV) return this.#patched(rev, NO_BYTES, deltas)
      const known = texts.get(this.#owner, at)
      if (known !== undefined) return this.#patched(rev, known, deltas)
      if (at < this.index.oldLength) return this.#patched(rev, revlog.rawText(at), deltas)
      const chunk = decompressChunk(this.#files.chunk(at))
      const base = this.index.deltaParent(at)
      if (base === at) return this.#patched(rev, chunk, deltas)
      deltas.push(chunk)
      at = base
    }
  }

  /** Writes what is not on disk yet, the index entries last. Throws `system`. */
  finish(): void {
    this.#files.finish()
  }

  /** Closes the revlog. */
  close(): void {
    this.#options.revlog.close()
  }

  /** Applies deltas, the last one first in the list, and remembers the text. */
  #patched(rev: number, base: Uint8Array, deltas: Uint8Array[]): Uint8Array {
    const text = applyDeltas(base, deltas.reverse())
    this.#options.texts.set(this.#owner, rev, text)
    return text
  }

  #checkFlags({ flags, node }: DeltaChunk): void {
    const refused = flags & (~KNOWN_REVISION_FLAGS | REVISION_EXTSTORED | REVISION_ELLIPSIS)
    if (refused === 0) return
    throw new RevlogError(
      'unsupported',
      `${this.index.old.name}@${hexOf(node)}: incompatible revision flag '0x${refused.toString(16)}'`,
    )
  }

  /** Mercurial's words. */
  #find(node: Uint8Array, whatIfNot: string): number {
    const rev = this.index.findRev(node)
    if (rev !== undefined) return rev
    throw new RevlogError('unknown-revision', `${this.index.old.name}@${hexOf(node)}: ${whatIfNot}`)
  }

  #patch({ node }: DeltaChunk, { baseRev, delta }: GivenDelta): Uint8Array {
    const whole = this.#wholeText(baseRev, delta)
    if (whole !== undefined) return whole
    const base = this.text(baseRev)
    try {
      return applyDeltas(base, [delta])
    } catch (cause) {
      if (!(cause instanceof RevlogError)) throw cause
      const { name } = this.index.old
      const message = `${name}@${hexOf(node)}: its delta does not fit revision ${baseRev}: ${cause.message}`
      throw new RevlogError(cause.code, message, { cause })
    }
  }

  /** The text of a delta that replaces its base whole, which then need not be read. */
  #wholeText(baseRev: number, delta: Uint8Array): Uint8Array | undefined {
    if (delta.length < HUNK_HEAD_BYTES) return undefined
    const baseLength = baseRev === NULL_REV ? 0 : this.index.uncompressedLength(baseRev)
    const view = new DataView(delta.buffer, delta.byteOffset, HUNK_HEAD_BYTES)
    const replaced = view.getUint32(0) === 0 && view.getUint32(4) === baseLength
    const alone = view.getUint32(8) === delta.length - HUNK_HEAD_BYTES
    return replaced && alone ? Uint8Array.prototype.slice.call(delta, HUNK_HEAD_BYTES) : undefined
  }

  /** Mercurial's words. */
  #checkText(chunk: DeltaChunk, text: Uint8Array): void {
    const hex = hexOf(chunk.node)
    if (hashText(chunk.p1, chunk.p2, text) === hex) return
    throw new RevlogError(
      'hash-mismatch',
      `integrity check failed on ${this.index.old.name}:${hex.slice(0, 12)}`,
    )
  }

  #form(target: NewText): StoredForm {
    const { settings, fullTexts = false } = this.#options
    const { compression, sparse, preferGiven } = settings
    if (fullTexts) {
      return { chunk: compressChunk(target.text, compression), baseRev: this.index.length }
    }
    const context = {
      index: this.index,
      compression,
      sparse: sparse && this.index.generaldelta,
      textOf: (rev: number) => this.text(rev),
      preferGiven,
    }
    return chooseDelta(context, target)
  }
}
