/**
 * Applies a changegroup to a repository that is being changed: changelog, manifests, files, each
 * revision checked against its node, those that are there already left out. Chunks are taken in
 * batches, so that nodes are looked for in one pass over an index and memory stays bounded.
 */
import type { ChangegroupReader, DeltaChunk } from '../changegroup/delta-chunk.ts'
import { RevlogError } from '../errors.ts'
import { parseFileText } from '../filelog/file-text.ts'
import { type ByteString, hexOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { Parents, RepairParents, RevlogAppender } from '../writer/revlog-appender.ts'
import type { StoreUpdate } from './store-update.ts'

/** How to apply. */
export interface ApplyChangegroupOptions {
  /** The phase of the new changesets: 1 (draft) if not given. */
  readonly targetPhase?: number
  /** Put parents right that a defect of Mercurial swapped; true if not given. */
  readonly fixSwappedParents?: boolean
  /** Told what begins, in Mercurial's words. */
  readonly onStep?: (step: string) => void
}

/** What was applied. */
export interface AppliedChangegroup {
  /** The first new changeset's revision; all from it on are new. */
  readonly firstNewRev: number
  readonly addedChangesets: number
  /** File revisions that were added. */
  readonly addedFileRevisions: number
  /** Files that the changegroup has something of, known or not. */
  readonly files: number
}

/** A batch ends at the first of these. */
const BATCH_CHUNKS = 2_048
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Applies a changegroup. Throws `unknown-revision` for a parent, base or changeset that is not there,
 * `hash-mismatch`, `corrupt`, and what reading the changegroup throws.
 */
export function applyChangegroup(
  update: StoreUpdate,
  changegroup: ChangegroupReader,
  options: ApplyChangegroupOptions = {},
): AppliedChangegroup {
  const { targetPhase = 1, fixSwappedParents = true, onStep = () => undefined } = options
  const { changelog, manifest, phases } = update
  const firstNewRev = changelog.length
  onStep('adding changesets')
  const known = applyChangelog(changelog, changegroup.changelog())
  phases.addFrom(firstNewRev, targetPhase)
  phases.advance(targetPhase, known)
  onStep('adding manifests')
  applyGroup(update, manifest, { chunks: changegroup.manifests() })
  onStep('adding file changes')
  const counts = applyFiles(update, changegroup, fixSwappedParents)
  return { firstNewRev, addedChangesets: changelog.length - firstNewRev, ...counts }
}

/** Gives the changesets that were here already. */
function applyChangelog(changelog: RevlogAppender, chunks: Iterable<DeltaChunk>): number[] {
  const known: number[] = []
  for (const batch of batches(chunks)) {
    changelog.index.locate(nodesOf(batch))
    for (const chunk of batch) {
      const { rev, added } = changelog.appendChunk(chunk, changelog.length)
      if (!added) known.push(rev)
    }
  }
  return known
}

interface Group {
  readonly chunks: Iterable<DeltaChunk>
  readonly repair?: RepairParents
}

/** Gives the number of revisions that were added, and of all. */
function applyGroup(
  { changelog }: StoreUpdate,
  revlog: RevlogAppender,
  { chunks, repair }: Group,
): { readonly added: number; readonly seen: number } {
  let added = 0
  let seen = 0
  for (const batch of batches(chunks)) {
    revlog.index.locate(nodesOf(batch))
    changelog.index.locate(batch.map((chunk) => chunk.linkNode))
    for (const chunk of batch) {
      const linkRev = changelog.index.findRev(chunk.linkNode)
      if (linkRev === undefined || linkRev === NULL_REV) throw noChangeset(chunk.linkNode)
      if (revlog.appendChunk(chunk, linkRev, repair).added) added += 1
      seen += 1
    }
  }
  return { added, seen }
}

function applyFiles(
  update: StoreUpdate,
  changegroup: ChangegroupReader,
  fixSwappedParents: boolean,
): Pick<AppliedChangegroup, 'addedFileRevisions' | 'files'> {
  let addedFileRevisions = 0
  let files = 0
  for (const { path, chunks } of changegroup.files()) {
    checkPath(path)
    files += 1
    const filelog = update.filelog(path)
    try {
      const group = fixSwappedParents ? { chunks, repair: unswapParents } : { chunks }
      const { added, seen } = applyGroup(update, filelog, group)
      // Mercurial's words.
      if (seen === 0) throw new RevlogError('corrupt', 'received file revlog group is empty')
      filelog.finish()
      addedFileRevisions += added
    } finally {
      filelog.close()
    }
  }
  return { addedFileRevisions, files }
}

/**
 * The first parent of a copied file's revision is null: its text says what it was copied from. Some
 * versions of Mercurial wrote the two parents the wrong way round (its issue 6528), which the node,
 * made from the sorted parents, does not show.
 */
function unswapParents(text: Uint8Array, { p1, p2 }: Parents): Parents {
  const swapped = p1 !== NULL_REV && p2 === NULL_REV && text[0] === 1 && text[1] === 0x0a
  if (!swapped || !parseFileText(text).metadata.has('copy')) return { p1, p2 }
  return { p1: p2, p2: p1 }
}

function* batches(chunks: Iterable<DeltaChunk>): Iterable<DeltaChunk[]> {
  let batch: DeltaChunk[] = []
  let bytes = 0
  for (const chunk of chunks) {
    batch.push(chunk)
    bytes += chunk.delta.length
    if (batch.length < BATCH_CHUNKS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

function* nodesOf(batch: readonly DeltaChunk[]): Iterable<Uint8Array> {
  for (const { node, p1, p2, deltaBase } of batch) {
    yield node
    yield p1
    yield p2
    yield deltaBase
  }
}

/** Paths that the store could not keep inside its own folder, or not write into its lists. */
function checkPath(path: ByteString): void {
  const segments = path.split('/')
  const escapes = segments.some((one) => one === '' || one === '.' || one === '..')
  const inMeta = segments.some((one) => one.toLowerCase() === '.hg')
  if (!escapes && !inMeta && !/[\0\r\n]/.test(path)) return
  throw new RevlogError('corrupt', `path contains illegal component: ${JSON.stringify(path)}`)
}

/** The error for a changeset that is not there; Mercurial's words. */
export function noChangeset(node: Uint8Array): RevlogError {
  return new RevlogError('unknown-revision', `00changelog@${hexOf(node)}: no node`)
}
