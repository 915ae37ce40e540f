/**
 * Makes a new repository and writes changesets into it: filelogs, manifest, changelog, fncache and
 * phases. Everything is appended in memory and written by flush() with data before what names it:
 * filelogs, fncache, manifest, changelog, phases. There is no transaction journal: a crash inside a
 * flush can leave file revisions that no changeset names, so whoever needs all or nothing writes
 * beside and renames. There is no lock either: nobody else may write meanwhile.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serializeChangeset } from '../changelog/changeset.ts'
import { RevlogError } from '../errors.ts'
import { parseFileText, serializeFileText } from '../filelog/file-text.ts'
import { type ByteString, hexOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { ManifestFlag } from '../manifest/manifest.ts'
import { writeNodemap } from '../nodemap/write-nodemap.ts'
import {
  createTextCache,
  openRevlogWriter,
  type RevlogWriter,
  type RevlogWriterOptions,
} from '../writer/index.ts'
import { checkChangeset, missingFile } from './check-changeset.ts'
import { editManifest, entryIn, type ManifestEdit } from './edit-manifest.ts'
import { FilelogWriters, fileParents } from './filelog-writers.ts'
import {
  DEFAULT_REPOSITORY_FORMAT,
  type RepositoryFormat,
  writeEmptyRepository,
} from './repository-layout.ts'

/** One change of a file against the changeset's first parent. */
export type FileChange =
  | {
      readonly kind: 'write'
      readonly path: ByteString
      /** For a link, its target. Not to be changed afterwards: it is kept as a delta base. */
      readonly content: Uint8Array
      /** Plain if not given. */
      readonly flag?: ManifestFlag
      /** A path of the first parent that this one is a copy of. */
      readonly copiedFrom?: ByteString
    }
  | { readonly kind: 'remove'; readonly path: ByteString }
  /** The file as the second parent has it. */
  | { readonly kind: 'take-second'; readonly path: ByteString }

/** A changeset to write. */
export interface NewChangeset {
  /** Parents' revisions, -1 for none. */
  readonly p1: number
  readonly p2: number
  readonly user: ByteString
  /** Seconds since the epoch. */
  readonly time: number
  /** Seconds west of UTC. */
  readonly timezoneSeconds: number
  /** `branch` and others; none if not given. */
  readonly extra?: ReadonlyMap<ByteString, ByteString>
  readonly description: ByteString
  readonly files: readonly FileChange[]
  /** Public if not given. */
  readonly phase?: 'public' | 'draft'
}

/** What commit() made. */
export interface WrittenChangeset {
  readonly rev: number
  readonly node: Uint8Array
}

/** Texts kept for deltas, over all revlogs together. */
const TEXT_CACHE_BYTES = 96 * 1024 * 1024

/** This much waits in memory before a flush of its own accord. */
const FLUSH_BYTES = 64 * 1024 * 1024

const NO_EXTRA: ReadonlyMap<ByteString, ByteString> = new Map()
const NULL_NODE_HEX = '0'.repeat(40)

/** Makes an empty repository at `path`, a folder that has none. Throws `usage` or `system`. */
export function createRepository(
  path: string,
  format: Partial<RepositoryFormat> = {},
): RepositoryWriter {
  const whole = { ...DEFAULT_REPOSITORY_FORMAT, ...format }
  writeEmptyRepository(path, whole)
  return new RepositoryWriter(join(path, '.hg', 'store'), whole)
}

/** A repository that is being written, until close(). */
export class RepositoryWriter {
  readonly #storePath: string
  readonly #persistentNodemap: boolean
  readonly #changelog: RevlogWriter
  readonly #manifest: RevlogWriter
  readonly #filelogs: FilelogWriters
  /** By changelog revision. */
  readonly #manifestRevs: number[] = []
  readonly #drafts: boolean[] = []
  readonly #draftRoots: number[] = []
  #waitingFileBytes = 0
  #closed = false

  constructor(storePath: string, format: RepositoryFormat) {
    const { compression, generaldelta, sparse } = format
    const textCache = createTextCache(TEXT_CACHE_BYTES)
    const settings = { compression, generaldelta, sparse, textCache }
    this.#storePath = storePath
    this.#persistentNodemap = format.persistentNodemap
    this.#filelogs = new FilelogWriters(storePath, settings)
    this.#manifest = openRevlogWriter({ ...settings, ...pathsOf(storePath, '00manifest') })
    // The changelog never has the generaldelta flag, whatever the repository is (Mercurial 6.3).
    const plain = { compression, generaldelta: false, sparse: false, fullTexts: true, textCache }
    this.#changelog = openRevlogWriter({ ...plain, ...pathsOf(storePath, '00changelog') })
  }

  /** Number of changesets. */
  get length(): number {
    return this.#changelog.length
  }

  /** Number of paths that were ever written. */
  get pathCount(): number {
    return this.#filelogs.count
  }

  /**
   * Appends a changeset. Throws `unknown-revision` for a parent that is not there, `unknown-file`
   * for a file that should be and is not, `usage` for what the formats cannot hold; nothing is then
   * appended.
   */
  commit(changeset: NewChangeset): WrittenChangeset {
    this.#assertOpen()
    const { p1, p2, extra = NO_EXTRA, user, time, timezoneSeconds, description } = changeset
    const rev = this.#changelog.length
    const draft = this.#checkPhase(changeset)
    this.#manifestRevOf(p2)
    checkChangeset(changeset, this.manifestText(p1))
    const { edits, listed } = this.#writeFiles(changeset, rev)
    const manifestRev = this.#writeManifest(changeset, rev, edits)
    const manifestHex =
      manifestRev === NULL_REV ? NULL_NODE_HEX : hexOf(this.#manifest.node(manifestRev))
    const text = serializeChangeset({
      manifestHex,
      user,
      time,
      timezoneSeconds,
      extra,
      files: listed.sort(),
      description,
    })
    const appended = this.#changelog.append({ text, p1, p2, linkRev: rev })
    if (!appended.added) {
      throw new RevlogError('usage', `this changeset is here already, as revision ${appended.rev}`)
    }
    this.#manifestRevs.push(manifestRev)
    this.#drafts.push(draft)
    if (draft && !this.#isDraft(p1) && !this.#isDraft(p2)) this.#draftRoots.push(rev)
    const waiting = this.#changelog.waitingBytes + this.#manifest.waitingBytes
    if (waiting + this.#waitingFileBytes > FLUSH_BYTES) this.flush()
    return { rev, node: this.#changelog.node(rev) }
  }

  /** A changeset's manifest text; empty for -1. Not to be written into. */
  manifestText(rev: number): Uint8Array {
    return this.#manifest.text(this.#manifestRevOf(rev))
  }

  /** A file's content in a changeset, or undefined where the changeset does not have it. */
  fileContent(rev: number, path: ByteString): Uint8Array | undefined {
    const fileRev = this.#fileRev(this.manifestText(rev), path)
    if (fileRev === NULL_REV) return undefined
    const text = this.#filelogs.get(path)?.text(fileRev)
    return text === undefined ? undefined : parseFileText(text).content
  }

  /** Writes what waits: filelogs, fncache, manifest, changelog, phases. Throws `system`. */
  flush(): void {
    this.#assertOpen()
    this.#filelogs.flush()
    this.#waitingFileBytes = 0
    this.#manifest.flush()
    this.#changelog.flush()
    const roots = this.#draftRoots.map((rev) => `1 ${hexOf(this.#changelog.node(rev))}\n`)
    writeFileSync(join(this.#storePath, 'phaseroots'), roots.join(''))
  }

  /** Writes what waits, and the nodemaps of what is there; the second call does nothing. */
  close(): void {
    if (this.#closed) return
    this.flush()
    if (this.#persistentNodemap) {
      for (const [name, revlog] of [
        ['00changelog.i', this.#changelog],
        ['00manifest.i', this.#manifest],
      ] as const) {
        if (revlog.split) writeNodemap(join(this.#storePath, name), revlog)
      }
    }
    this.#closed = true
  }

  #writeFiles(changeset: NewChangeset, rev: number): WrittenFiles {
    const first = this.manifestText(changeset.p1)
    const second = this.manifestText(changeset.p2)
    const edits: ManifestEdit[] = []
    const listed: ByteString[] = []
    for (const change of changeset.files) {
      const { path } = change
      const before = entryIn(first, path)
      if (change.kind === 'remove') {
        edits.push({ path, entry: undefined })
        listed.push(path)
      } else if (change.kind === 'take-second') {
        edits.push({ path, entry: entryIn(second, path) })
      } else {
        const fileRev = this.#writeFile(change, { first, second, linkRev: rev })
        const node = hexOf(this.#filelogs.toWrite(path).node(fileRev))
        const flag = change.flag ?? ''
        if (before?.nodeHex === node && before.flag === flag) continue
        edits.push({ path, entry: { nodeHex: node, flag } })
        listed.push(path)
      }
    }
    return { edits, listed }
  }

  #writeFile(change: FileChange & { readonly kind: 'write' }, at: FilePlace): number {
    const { path, content, copiedFrom } = change
    const writer = this.#filelogs.toWrite(path)
    const metadata = new Map<ByteString, ByteString>()
    let parents: readonly [number, number] = [NULL_REV, NULL_REV]
    if (copiedFrom === undefined) {
      parents = fileParents(writer, this.#fileRev(at.first, path), this.#fileRev(at.second, path))
    } else {
      const source = entryIn(at.first, copiedFrom)
      if (source === undefined) throw missingFile(copiedFrom, 'cannot be copied')
      metadata.set('copy', copiedFrom).set('copyrev', source.nodeHex)
    }
    const [p1, p2] = parents
    if (p2 === NULL_REV && metadata.size === 0 && this.#sameText(writer, p1, content)) return p1
    const text = serializeFileText({ metadata, content })
    const before = writer.waitingBytes
    const { rev } = writer.append({ text, p1, p2, linkRev: at.linkRev })
    this.#waitingFileBytes += writer.waitingBytes - before
    return rev
  }

  /** Whether a file revision has this content: then only its flag may have changed. */
  #sameText(writer: RevlogWriter, rev: number, content: Uint8Array): boolean {
    if (rev === NULL_REV) return false
    return Buffer.compare(parseFileText(writer.text(rev)).content, content) === 0
  }

  #writeManifest(changeset: NewChangeset, rev: number, edits: readonly ManifestEdit[]): number {
    const first = this.#manifestRevOf(changeset.p1)
    if (edits.length === 0) return first
    const second = this.#manifestRevOf(changeset.p2)
    const text = editManifest(this.#manifest.text(first), edits)
    const p2 = second === first ? NULL_REV : second
    return this.#manifest.append({ text, p1: first, p2, linkRev: rev }).rev
  }

  #fileRev(manifestText: Uint8Array, path: ByteString): number {
    const entry = entryIn(manifestText, path)
    if (entry === undefined) return NULL_REV
    const rev = this.#filelogs.get(path)?.findRev(Buffer.from(entry.nodeHex, 'hex'))
    if (rev === undefined) throw missingFile(path, 'is in a manifest but not in its filelog')
    return rev
  }

  #manifestRevOf(rev: number): number {
    if (rev === NULL_REV) return NULL_REV
    const manifestRev = this.#manifestRevs[rev]
    if (manifestRev !== undefined) return manifestRev
    throw new RevlogError('unknown-revision', `there is no changeset ${rev} among ${this.length}`)
  }

  #checkPhase({ phase, p1, p2 }: NewChangeset): boolean {
    if (phase === 'draft') return true
    if (!this.#isDraft(p1) && !this.#isDraft(p2)) return false
    throw new RevlogError('usage', 'a public changeset cannot have a draft parent')
  }

  #isDraft(rev: number): boolean {
    return this.#drafts[rev] ?? false
  }

  #assertOpen(): void {
    if (this.#closed) throw new RevlogError('closed', `${this.#storePath}: used after close()`)
  }
}

interface WrittenFiles {
  readonly edits: readonly ManifestEdit[]
  readonly listed: ByteString[]
}

/** What a file revision is written against. */
interface FilePlace {
  readonly first: Uint8Array
  readonly second: Uint8Array
  readonly linkRev: number
}

function pathsOf(
  storePath: string,
  name: string,
): Pick<RevlogWriterOptions, 'indexPath' | 'dataPath'> {
  return { indexPath: join(storePath, `${name}.i`), dataPath: join(storePath, `${name}.d`) }
}
