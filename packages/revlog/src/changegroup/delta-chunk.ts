/**
 * The words of changegroups: revisions as deltas in a stream, grouped by the revlog that they belong
 * to. Source: `hg help internals.changegroups`. Reading and writing are the neighbours' work.
 */
import type { ByteString } from '../format/byte-string.ts'

/** The versions of the format that are read; 01 and 02 are also written. */
export type ChangegroupVersion = '01' | '02' | '03'

/** One revision as it travels. */
export interface DeltaChunk {
  readonly node: Uint8Array
  readonly p1: Uint8Array
  readonly p2: Uint8Array
  /** The node that the delta is against: the null node stands for the empty text. */
  readonly deltaBase: Uint8Array
  /** The changeset that brought the revision. */
  readonly linkNode: Uint8Array
  /** Revision flags; 0 before version 03. */
  readonly flags: number
  readonly delta: Uint8Array
}

/** The revisions of one file. */
export interface FileGroup {
  readonly path: ByteString
  readonly chunks: Iterable<DeltaChunk>
}

/**
 * A changegroup in its order: changelog, manifests, files, each asked for once and consumed whole
 * before the next (what was not consumed is skipped). Everything is read as it is asked for.
 */
export interface ChangegroupReader {
  readonly version: ChangegroupVersion
  changelog(): Iterable<DeltaChunk>
  manifests(): Iterable<DeltaChunk>
  files(): Iterable<FileGroup>
}
