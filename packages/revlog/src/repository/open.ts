/**
 * An existing repository, opened for reading: its requirements are checked, its changelog and
 * manifest are opened when first asked for. As in Mercurial only those two indexes, their nodemaps and
 * the cache of branches may be mapped; the index of a tracked file is always read. Creating and writing are left to others.
 */
import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { AccessMode, AccessRecord } from '../bytes/access.ts'
import { type Changeset, parseChangeset } from '../changelog/changeset.ts'
import { RevlogError, reasonOf } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { openRevlog } from '../reader/open-revlog.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'
import { encodeStorePath, type StoreEncoding } from '../store/encode-path.ts'
import { checkRequirements, parseRequires } from '../store/requires.ts'
import { type BranchLookup, openBranchLookup } from './branch-lookup.ts'

/** How to open a repository. */
export interface OpenRepositoryOptions {
  readonly mode: AccessMode
  /** Smaller index files are read, not mapped; Mercurial's default if not given. */
  readonly mmapThreshold?: number
  /** Called for every index file that was opened. */
  readonly onAccess?: (record: AccessRecord) => void
}

/**
 * Opens the repository whose working directory is `root`. Throws `not-a-repository`,
 * `unknown-requirement`.
 */
export function openRepository(root: string, options: OpenRepositoryOptions): Repository {
  const hgPath = join(root, '.hg')
  if (!isDirectory(hgPath)) {
    throw new RevlogError('not-a-repository', `repository ${root} not found`)
  }
  const requirements = readRequirements(hgPath)
  checkRequirements(requirements)
  return new Repository({ root, requirements, options })
}

/** The repository that `start` is in: the nearest directory at or above it with a .hg in it. */
export function findRepositoryRoot(start: string): string | undefined {
  for (let at = resolve(start); ; at = dirname(at)) {
    if (isDirectory(join(at, '.hg'))) return at
    if (dirname(at) === at) return undefined
  }
}

/** A repository until close(). */
export class Repository {
  readonly root: string
  readonly requirements: ReadonlySet<string>
  readonly #options: OpenRepositoryOptions
  readonly #encoding: StoreEncoding
  #changelog: Revlog | undefined
  #manifest: Revlog | undefined
  #branches: BranchLookup | undefined
  #closed = false

  constructor(parts: {
    readonly root: string
    readonly requirements: ReadonlySet<string>
    readonly options: OpenRepositoryOptions
  }) {
    this.root = parts.root
    this.requirements = parts.requirements
    this.#options = parts.options
    this.#encoding = {
      fncache: parts.requirements.has('fncache'),
      dotencode: parts.requirements.has('dotencode'),
    }
  }

  /** The changelog; empty in a new repository. */
  get changelog(): Revlog {
    this.#changelog ??= this.#openMappable('00changelog')
    return this.#changelog
  }

  /** The manifest log; empty in a new repository. */
  get manifest(): Revlog {
    this.#manifest ??= this.#openMappable('00manifest')
    return this.#manifest
  }

  /** The branches of changesets. */
  get branches(): BranchLookup {
    this.#assertOpen()
    this.#branches ??= openBranchLookup({
      ...this.#options,
      index: this.changelog.index,
      changeset: (rev) => this.changeset(rev),
      revsPath: join(this.root, '.hg', 'cache', 'rbc-revs-v1'),
      names: this.metaFile('cache/rbc-names-v1'),
    })
    return this.#branches
  }

  /** What a changelog revision says; -1 gives the null changeset. */
  changeset(rev: number): Changeset {
    return parseChangeset(this.changelog.rawText(rev))
  }

  /** The manifest revision of a changeset; -1 for none. Throws `corrupt` if it is not there. */
  manifestRev(rev: number): number {
    const { manifestHex } = this.changeset(rev)
    const near = revOfLink(this.manifest.index, rev)
    if (near !== undefined && this.manifest.nodeHex(near) === manifestHex) return near
    const found = this.manifest.findRev(Buffer.from(manifestHex, 'hex'))
    if (found !== undefined) return found
    throw new RevlogError('corrupt', `changeset ${rev}: its manifest ${manifestHex} is missing`)
  }

  /** A changeset's manifest text, not to be written into; empty for -1. */
  manifestText(rev: number): Uint8Array {
    return this.manifest.rawText(this.manifestRev(rev))
  }

  /** True if the store has a revlog for the path. */
  hasFilelog(path: ByteString): boolean {
    return statOf(this.storePath(`data/${path}.i`)) !== undefined
  }

  /** The revlog of a tracked path, to be closed by the caller. Throws `unknown-file`. */
  filelog(path: ByteString): Revlog {
    this.#assertOpen()
    if (!this.hasFilelog(path)) {
      throw new RevlogError('unknown-file', `${path}: no such file in the repository's store`)
    }
    return this.filelogToWrite(path)
  }

  /** The revlog of a path, empty where there is none yet, to be closed by the caller. */
  filelogToWrite(path: ByteString): Revlog {
    this.#assertOpen()
    return this.#report(
      openRevlog({
        indexPath: this.storePath(`data/${path}.i`),
        dataPath: this.storePath(`data/${path}.d`),
        name: path,
        mode: 'no-mmap',
        whenMissing: 'empty',
      }),
    )
  }

  /** Where a store file such as `data/foo.i` is on disk. */
  storePath(path: ByteString): string {
    const encoded = path.startsWith('data/') ? encodeStorePath(path, this.#encoding) : path
    return join(this.root, '.hg', 'store', encoded)
  }

  /** A file of .hg, or undefined if it is not there. */
  metaFile(name: string): Buffer | undefined {
    return readIfThere(join(this.root, '.hg', name))
  }

  /** Closes what was opened; the second call does nothing. */
  close(): void {
    this.#closed = true
    this.#branches?.close()
    this.#changelog?.close()
    this.#manifest?.close()
  }

  #openMappable(name: string): Revlog {
    this.#assertOpen()
    const { mode, mmapThreshold, onAccess } = this.#options
    const nodemap = onAccess === undefined ? {} : { onAccess }
    return this.#report(
      openRevlog({
        indexPath: this.storePath(`${name}.i`),
        name,
        mode,
        whenMissing: 'empty',
        ...(mmapThreshold === undefined ? {} : { mmapThreshold }),
        ...(this.requirements.has('persistent-nodemap') ? { nodemap } : {}),
      }),
    )
  }

  #report(revlog: Revlog): Revlog {
    this.#options.onAccess?.(revlog.access)
    return revlog
  }

  #assertOpen(): void {
    if (this.#closed) throw new RevlogError('closed', `${this.root}: used after close()`)
  }
}

/**
 * A revision that a changeset brought, found by halving: links go up, mostly. Where they do not, as
 * after an exchange with a repository in another order, it may miss what is there.
 */
function revOfLink(index: RevlogIndex, linkRev: number): number | undefined {
  let low = 0
  let high = index.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (index.linkRev(middle) < linkRev) low = middle + 1
    else high = middle
  }
  return low < index.length && index.linkRev(low) === linkRev ? low : undefined
}

/** Both layouts: all in .hg/requires, or with share-safe the store's own in .hg/store/requires. */
function readRequirements(hgPath: string): ReadonlySet<string> {
  const own = readRequires(join(hgPath, 'requires'))
  if (!own.has('share-safe')) return own
  return new Set([...own, ...readRequires(join(hgPath, 'store', 'requires'))])
}

function readRequires(path: string): ReadonlySet<string> {
  return parseRequires(readIfThere(path)?.toString('latin1') ?? '')
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new RevlogError('system', `${path}: ${reasonOf(error)}`, { cause: error })
  }
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false
}

/** Undefined if nothing is there. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new RevlogError('system', `${path}: ${reasonOf(error)}`, { cause: error })
  }
}
