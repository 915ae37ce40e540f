/**
 * What changesets changed against their first parents, as patches. Manifests are compared in the
 * order in which they were written, whatever order is printed: each is then a short step from the
 * one before, where the other way round every one would be built from its chain's start.
 */
import { parseFileText } from '../filelog/file-text.ts'
import type { ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { findInManifest, type ManifestEntry } from '../manifest/manifest.ts'
import type { Repository } from '../repository/open.ts'
import { findCopies } from './copies.ts'
import {
  type FilePair,
  type FileSide,
  gitFilePatch,
  type PatchSides,
  plainFilePatch,
} from './file-patch.ts'
import { type ManifestChange, manifestChanges } from './manifest-changes.ts'
import { OpenFilelogs } from './open-filelogs.ts'

/** How patches are to look. */
export interface PatchOptions {
  /** git's form instead of the plain one. */
  readonly git: boolean
  /** Lines around a change; 3 if not given. */
  readonly contextLines?: number
  /** A changeset's date in the long form. */
  readonly dateOf: (rev: number) => string
}

/** The patches of a repository, to be closed by the caller. */
export function openChangesetPatches(
  repository: Repository,
  options: PatchOptions,
): ChangesetPatches {
  return new ChangesetPatches(repository, options)
}

/** Lines around a change, as diff programs agree. */
const CONTEXT_LINES = 3

const SHORT_HEX_LENGTH = 12

/** Patches until close(). */
export class ChangesetPatches {
  readonly #repository: Repository
  readonly #options: PatchOptions
  readonly #filelogs: OpenFilelogs
  readonly #changes = new Map<number, readonly ManifestChange[]>()

  constructor(repository: Repository, options: PatchOptions) {
    this.#repository = repository
    this.#options = options
    this.#filelogs = new OpenFilelogs(repository)
  }

  /** Compares the manifests of changesets that will be asked for next, forgetting earlier ones. */
  prepare(revs: readonly number[]): void {
    this.#changes.clear()
    for (const rev of [...revs].sort((a, b) => a - b)) this.#changes.set(rev, this.#compare(rev))
  }

  /** A changeset's patch; empty if it shows nothing. Throws what reading the store throws. */
  patch(rev: number): ByteString {
    const changes = this.#changes.get(rev) ?? this.#compare(rev)
    const pairs = this.#options.git ? this.#gitPairs(rev, changes) : this.#pairs(changes)
    const { contextLines = CONTEXT_LINES, git } = this.#options
    const sides = this.#sides(rev)
    let text = ''
    for (const pair of pairs) {
      text += git ? gitFilePatch(pair, contextLines) : plainFilePatch(pair, sides, contextLines)
    }
    return text
  }

  /** Closes what was opened. */
  close(): void {
    this.#changes.clear()
    this.#filelogs.close()
  }

  #compare(rev: number): readonly ManifestChange[] {
    // The order of reading matters: the second text is a delta against the first, mostly.
    const before = this.#repository.manifestText(this.#firstParent(rev))
    return manifestChanges(before, this.#repository.manifestText(rev))
  }

  #firstParent(rev: number): number {
    return rev === NULL_REV ? NULL_REV : this.#repository.changelog.index.p1(rev)
  }

  *#pairs(changes: readonly ManifestChange[]): Iterable<FilePair> {
    for (const { before, after } of changes) yield this.#pair(before, after)
  }

  *#gitPairs(rev: number, changes: readonly ManifestChange[]): Iterable<FilePair> {
    const start = this.#repository.manifestText(this.#firstParent(rev))
    const copies = findCopies(changes, this.#filelogs, (path) => findInManifest(start, path))
    const removed = new Set<ByteString>()
    for (const { path, after } of changes) if (after === undefined) removed.add(path)
    const renamed = new Set<ByteString>()
    for (const { path } of copies.values()) if (removed.has(path)) renamed.add(path)
    const taken = new Set<ByteString>()
    for (const { path, before, after } of changes) {
      if (after === undefined && renamed.has(path)) continue
      const source = copies.get(path)
      if (source === undefined) {
        yield this.#pair(before, after)
        continue
      }
      const origin = renamed.has(source.path) && !taken.has(source.path) ? 'rename' : 'copy'
      taken.add(source.path)
      yield { ...this.#pair(source, after), origin }
    }
  }

  #pair(before: ManifestEntry | undefined, after: ManifestEntry | undefined): FilePair {
    return { before: this.#side(before), after: this.#side(after) }
  }

  #side(entry: ManifestEntry | undefined): FileSide | undefined {
    if (entry === undefined) return undefined
    const { content } = parseFileText(this.#filelogs.text(entry))
    return { path: entry.path, flag: entry.flag, content }
  }

  #sides(rev: number): PatchSides {
    const { changelog } = this.#repository
    const p1 = this.#firstParent(rev)
    return {
      beforeNode: changelog.nodeHex(p1).slice(0, SHORT_HEX_LENGTH),
      afterNode: changelog.nodeHex(rev).slice(0, SHORT_HEX_LENGTH),
      beforeDate: this.#options.dateOf(p1),
      afterDate: this.#options.dateOf(rev),
    }
  }
}
