/**
 * Numbers of the revlog format. Source: `hg help internals.revlogs` (Mercurial 6.3).
 */

/** The only revlog version that is read and written here. */
export const REVLOG_VERSION = 1

/** Header flag: the data chunks are interleaved with the index entries in one file. */
export const FLAG_INLINE_DATA = 1 << 16

/** Header flag: a delta's base is the revision named by `baseRev`, not the one before. */
export const FLAG_GENERALDELTA = 1 << 17

/** Bytes of one index entry. */
export const ENTRY_SIZE = 64

/** Bytes of a node, a SHA-1. */
export const NODE_SIZE = 20

/** The revision number that stands for "no revision". */
export const NULL_REV = -1

/** The node that stands for "no revision". Shared: never write into it. */
export const NULL_NODE: Uint8Array = new Uint8Array(NODE_SIZE)

/** Revision flag: the content was censored. */
export const REVISION_CENSORED = 1 << 15

/** Revision flag: the text is a stub of a narrow clone and does not hash to its node, by design. */
export const REVISION_ELLIPSIS = 1 << 14

/** Revision flag: the content is stored outside the repository. */
export const REVISION_EXTSTORED = 1 << 13

/** Revision flag: the changeset records copies outside the text. */
export const REVISION_HASCOPIESINFO = 1 << 12

/** Every revision flag of revlog version 1. */
export const KNOWN_REVISION_FLAGS =
  REVISION_CENSORED | REVISION_ELLIPSIS | REVISION_EXTSTORED | REVISION_HASCOPIESINFO

/** An inline revlog is split when its chunks, without the entries, reach this (observed in 6.3). */
export const MAX_INLINE_BYTES = 131_072
