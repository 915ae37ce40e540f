/**
 * A copy of a repository with its first N changesets only, made by copying the store's files and
 * cutting them: far faster than sending the changesets, and what is kept is the same to the byte.
 * It works where each revlog holds the revisions of those changesets before all others, which is how
 * nearly every revlog grew; where one does not, nothing is left behind.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ByteString } from '../format/byte-string.ts'
import { ENTRY_SIZE } from '../format/constants.ts'
import { writeNodemap } from '../nodemap/write-nodemap.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Repository } from '../repository/open.ts'
import { parseFncache, serializeFncache } from '../store/fncache.ts'

/** What to copy. */
export interface CopyFirstOptions {
  readonly source: Repository
  /** A folder that has no repository. */
  readonly destination: string
  /** How many changesets to keep, from the first one on. */
  readonly count: number
}

/**
 * Makes the copy, without a working directory and without phases and bookmarks. False where the store
 * cannot be cut there. Throws `system`, and what opening a damaged revlog throws.
 */
export function copyFirstChangesets({ source, destination, count }: CopyFirstOptions): boolean {
  if (!source.requirements.has('fncache')) return false
  const hg = join(destination, '.hg')
  for (const folder of ['store', 'cache', 'wcache']) {
    mkdirSync(join(hg, folder), { recursive: true })
  }
  if (!copyStore(source, hg, count)) {
    rmSync(hg, { recursive: true })
    return false
  }
  copyRequirements(source, hg)
  syncFolder(join(hg, 'store'))
  return true
}

function copyRequirements(source: Repository, hg: string): void {
  for (const name of ['requires', 'store/requires', '00changelog.i']) {
    const bytes = source.metaFile(name)
    if (bytes !== undefined) writeFileSync(join(hg, name), bytes)
  }
}

function copyStore(source: Repository, hg: string, count: number): boolean {
  const from = join(source.root, '.hg')
  const kept: ByteString[] = []
  const place = (path: string): string => join(hg, path.slice(from.length))
  const listed = parseFncache(source.metaFile('store/fncache') ?? new Uint8Array(0))
  for (const path of new Set(listed)) {
    if (!path.endsWith('.i')) continue
    if (!path.startsWith('data/')) return false
    const tracked = path.slice('data/'.length, -'.i'.length)
    if (!source.hasFilelog(tracked)) continue
    const revlog = source.filelog(tracked)
    try {
      const paths = {
        index: source.storePath(path),
        data: source.storePath(`${path.slice(0, -1)}d`),
      }
      const revisions = keptRevisions(revlog, count)
      if (revisions === undefined) return false
      if (revisions === 0) continue
      copyRevlog({ revlog, revisions, ...paths, place })
      kept.push(path, ...(revlog.index.inline ? [] : [`${path.slice(0, -1)}d`]))
    } finally {
      revlog.close()
    }
  }
  for (const [name, revlog] of [
    ['00manifest', source.manifest],
    ['00changelog', source.changelog],
  ] as const) {
    const [index, data] = [source.storePath(`${name}.i`), source.storePath(`${name}.d`)]
    const revisions = keptRevisions(revlog, count)
    if (revisions === undefined) return false
    if (revisions === 0) continue
    copyRevlog({ revlog, revisions, index, data, place })
    if (source.requirements.has('persistent-nodemap') && !revlog.index.inline) {
      writeNodemap(place(index), { length: revisions, node: (rev) => revlog.index.node(rev) })
    }
  }
  writeFileSync(join(hg, 'store', 'fncache'), serializeFncache(kept))
  return true
}

/** How many revisions belong to the first `count` changesets; nothing if they are not the first. */
function keptRevisions({ index, length }: Revlog, count: number): number | undefined {
  let kept = 0
  for (let rev = 0; rev < length; rev++) {
    if (index.linkRev(rev) >= count) continue
    if (rev !== kept) return undefined
    kept++
  }
  return kept
}

interface RevlogToCopy {
  readonly revlog: Revlog
  readonly revisions: number
  readonly index: string
  readonly data: string
  /** Where a file of the source is to lie. */
  readonly place: (path: string) => string
}

function copyRevlog({ revlog, revisions, index, data, place }: RevlogToCopy): void {
  const whole = revisions === revlog.length
  const { inline } = revlog.index
  mkdirSync(dirname(place(index)), { recursive: true })
  copyFileSync(index, place(index), constants.COPYFILE_FICLONE)
  const cut = whole ? 0 : revlog.index.dataPosition(revisions)
  if (!whole) truncateSync(place(index), inline ? cut - ENTRY_SIZE : revisions * ENTRY_SIZE)
  if (inline) return
  mkdirSync(dirname(place(data)), { recursive: true })
  copyFileSync(data, place(data), constants.COPYFILE_FICLONE)
  if (!whole) truncateSync(place(data), cut)
}

function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
