/**
 * What the choice of a delta wants to know of the revisions that are there.
 */

/** Marks a revision that is an ordinary delta, not a snapshot. */
export const NOT_A_SNAPSHOT = -1

/** The revisions of a revlog that is being written. */
export interface DeltaIndex {
  readonly generaldelta: boolean
  /** Number of revisions. */
  readonly length: number
  /** Where the next chunk goes in the data stream. */
  readonly dataLength: number
  /** Position of a revision's chunk in the data stream. */
  offset(rev: number): number
  compressedLength(rev: number): number
  uncompressedLength(rev: number): number
  /** The revision whose text a revision's delta is against; itself for a full text, -1 for none. */
  deltaParent(rev: number): number
  /** The first revision of the delta chain. */
  chainStart(rev: number): number
  /** Deltas between the chain's full text and the revision. */
  chainLength(rev: number): number
  /** Stored bytes of the whole chain. */
  chainBytes(rev: number): number
  /** 0 for a full text, 1 and more for an intermediate snapshot, else NOT_A_SNAPSHOT. */
  snapshotDepth(rev: number): number
}
