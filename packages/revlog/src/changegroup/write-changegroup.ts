/**
 * Writes a changegroup from a repository: the changelog by revision, the manifests that these
 * changesets need, the file revisions that those manifests need, files by path. Deltas are those of
 * the store wherever the receiver knows their base. Source: `hg help internals.changegroups`.
 */

import { parseChangeset } from '../changelog/changeset.ts'
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { bytesOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { Repository } from '../repository/open.ts'
import { manifestEntriesIn } from './manifest-delta.ts'
import type { Outgoing } from './outgoing.ts'
import { type GroupRevision, writeGroup } from './write-group.ts'

/** The versions that are written. */
export type WrittenVersion = '01' | '02'

/** What to write. */
export interface ChangegroupSource {
  readonly repository: Repository
  readonly outgoing: Outgoing
}

/** File revisions by their nodes in hexadecimal digits, with the changeset that needs them first. */
type FileNeeds = Map<string, number>

const END = new Uint8Array(4)

/**
 * The changegroup in pieces. Throws `unsupported` for revisions with flags, which these versions
 * cannot carry, and what reading a damaged store throws.
 */
export function* writeChangegroup(
  { repository, outgoing }: ChangegroupSource,
  version: WrittenVersion,
): Iterable<Uint8Array> {
  const { changelog, manifest } = repository
  const manifestLinks = new Map<number, number>()
  const changesets = outgoing.revs.map(
    (rev): GroupRevision => ({ rev, linkNode: changelog.node(rev) }),
  )
  const group = { version, isKnown: outgoing.isKnown, revlog: changelog, revisions: changesets }
  for (const { piece, rev } of writeGroup({ ...group, fullTexts: true })) {
    const hex = parseChangeset(changelog.rawText(rev)).manifestHex
    noteManifest({ repository, outgoing }, manifestLinks, { hex, rev })
    yield piece
  }
  yield END
  const needs = new Map<ByteString, FileNeeds>()
  const linked = (rev: number): number => manifestLinks.get(rev) ?? NULL_REV
  const manifestRevs = [...manifestLinks.keys()].sort((a, b) => a - b)
  const revisions = manifestRevs.map((rev) => ({ rev, linkNode: changelog.node(linked(rev)) }))
  const knownRevision = (rev: number): boolean => outgoing.isKnown(manifest.index.linkRev(rev))
  for (const { piece, rev, delta } of writeGroup({
    version,
    isKnown: knownRevision,
    revlog: manifest,
    revisions,
  })) {
    noteFiles(needs, delta, linked(rev))
    yield piece
  }
  yield END
  for (const path of [...needs.keys()].sort()) {
    yield* writeFile(
      { repository, outgoing },
      { path, needs: needs.get(path) ?? new Map(), version },
    )
  }
  yield END
}

function noteManifest(
  { repository: { manifest }, outgoing }: ChangegroupSource,
  links: Map<number, number>,
  { hex, rev }: { readonly hex: string; readonly rev: number },
): void {
  const manifestRev = manifest.findRev(Buffer.from(hex, 'hex'))
  if (manifestRev === undefined) {
    throw new RevlogError(
      'corrupt',
      `changeset ${rev} names manifest ${hex}, which is not there; run \`hg verify\``,
    )
  }
  if (manifestRev === NULL_REV || links.has(manifestRev)) return
  if (!outgoing.isKnown(manifest.index.linkRev(manifestRev))) links.set(manifestRev, rev)
}

/** A delta's lines are all that differ from a manifest whose files the receiver has or gets. */
function noteFiles(needs: Map<ByteString, FileNeeds>, delta: Uint8Array, link: number): void {
  for (const { path, nodeHex } of manifestEntriesIn(delta)) {
    let ofFile = needs.get(path)
    if (ofFile === undefined) {
      ofFile = new Map()
      needs.set(path, ofFile)
    }
    const before = ofFile.get(nodeHex)
    if (before === undefined || before > link) ofFile.set(nodeHex, link)
  }
}

interface FileToWrite {
  readonly path: ByteString
  readonly needs: FileNeeds
  readonly version: WrittenVersion
}

function* writeFile(
  { repository, outgoing }: ChangegroupSource,
  { path, needs, version }: FileToWrite,
): Iterable<Uint8Array> {
  const revlog = repository.filelog(path)
  try {
    const isKnown = (rev: number): boolean => outgoing.isKnown(revlog.index.linkRev(rev))
    const revisions: GroupRevision[] = []
    for (const [nodeHex, link] of needs) {
      const rev = revlog.findRev(Buffer.from(nodeHex, 'hex'))
      if (rev === undefined || rev === NULL_REV) {
        throw new RevlogError(
          'corrupt',
          `${path}: its revision ${nodeHex} is in a manifest and not in the store; run \`hg verify\``,
        )
      }
      if (!isKnown(rev)) revisions.push({ rev, linkNode: repository.changelog.node(link) })
    }
    if (revisions.length === 0) return
    revisions.sort((a, b) => a.rev - b.rev)
    const name = bytesOf(path)
    const head = new Uint8Array(4 + name.length)
    new DataView(head.buffer).setUint32(0, head.length)
    head.set(name, 4)
    yield head
    for (const { piece } of writeGroup({ version, isKnown, revlog, revisions })) yield piece
    yield END
  } finally {
    revlog.close()
  }
}
