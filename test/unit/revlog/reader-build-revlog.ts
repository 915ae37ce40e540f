/**
 * Builds revlog files from a plan, byte by byte and without the engine's writer: the reader's tests
 * need layouts that the writer never makes, and damaged ones.
 */
import { writeFileSync } from 'node:fs'
import {
  type CompressionName,
  compressChunk,
  computeDelta,
  hashText,
  type IndexEntry,
  mergeHeader,
  NULL_NODE,
  openRevlog,
  type Revlog,
  RevlogError,
  serializeIndexEntry,
} from '@assay/revlog'

/** One revision to be stored. */
export interface PlannedRevision {
  readonly text: Uint8Array
  readonly p1: number
  readonly p2: number
  /** Own number: full text; -1: delta against nothing; otherwise delta against that revision. */
  readonly base: number
}

/** The layout of the files. */
export interface Layout {
  readonly inline: boolean
  readonly generaldelta: boolean
  readonly compression: CompressionName
  /** Bytes of rubbish before each chunk of a split revlog: what a sparse chain has to leave out. */
  readonly gapBytes?: number
  /** Last-minute changes of an entry, to damage it. */
  readonly alter?: (entry: IndexEntry, rev: number) => IndexEntry
}

/** Writes `path` (.i) and, if split, its .d. */
export function buildRevlog(path: string, revisions: readonly PlannedRevision[], layout: Layout) {
  const nodes: Uint8Array[] = []
  const index: Uint8Array[] = []
  const data: Uint8Array[] = []
  let offset = 0
  revisions.forEach((revision, rev) => {
    const { text, p1, p2, base } = revision
    const chunk = compressChunk(chunkOf(revisions, rev), layout.compression)
    const gap = new Uint8Array(layout.gapBytes ?? 0).fill(0x5a)
    if (!layout.inline) offset += gap.length
    const node = Buffer.from(hashText(nodes[p1] ?? NULL_NODE, nodes[p2] ?? NULL_NODE, text), 'hex')
    nodes.push(node)
    const entry: IndexEntry = {
      offset,
      flags: 0,
      compressedLength: chunk.length,
      uncompressedLength: text.length,
      baseRev: layout.generaldelta || base === rev ? base : chainStart(revisions, rev),
      linkRev: rev,
      p1,
      p2,
      node,
    }
    const bytes = serializeIndexEntry(layout.alter?.(entry, rev) ?? entry)
    if (rev === 0) mergeHeader(bytes, { version: 1, ...layout })
    index.push(bytes)
    if (layout.inline) index.push(chunk)
    else data.push(gap, chunk)
    offset += chunk.length
  })
  writeFileSync(path, Buffer.concat(index))
  if (!layout.inline) writeFileSync(`${path.slice(0, -2)}.d`, Buffer.concat(data))
}

function chunkOf(revisions: readonly PlannedRevision[], rev: number): Uint8Array {
  const { text, base } = planned(revisions, rev)
  if (base === rev) return text
  return computeDelta(base === -1 ? new Uint8Array(0) : planned(revisions, base).text, text)
}

/** Without generaldelta the entry names the start of the chain. */
function chainStart(revisions: readonly PlannedRevision[], rev: number): number {
  let start = rev
  while (planned(revisions, start).base !== start) start = planned(revisions, start).base
  return start
}

function planned(revisions: readonly PlannedRevision[], rev: number): PlannedRevision {
  const revision = revisions[rev]
  if (revision === undefined) throw new Error(`the plan has no revision ${rev}`)
  return revision
}

/** A chain of revisions, each with one line more than the one before. */
export function chainOf(count: number, lineBytes: number): PlannedRevision[] {
  let text = ''
  return Array.from({ length: count }, (_, rev) => {
    text += `${String(rev).padEnd(lineBytes, 'abcdefg')}\n`
    return { text: Buffer.from(text), p1: rev - 1, p2: -1, base: Math.max(0, rev - 1) }
  })
}

/** Opens the revlog at `path`, uses it and closes it. */
export function withLog<T>(path: string, use: (log: Revlog) => T): T {
  const log = openRevlog({ indexPath: path, mode: 'no-mmap' })
  try {
    return use(log)
  } finally {
    log.close()
  }
}

/** The code of the RevlogError that `act` throws. */
export function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof RevlogError) return error.code
    throw error
  }
  return 'nothing thrown'
}
