/**
 * The branches of changesets, by Mercurial's cache of them where it has one that fits and by the
 * changesets' texts otherwise. The cache (.hg/cache/rbc-revs-v1, rbc-names-v1) has 8 bytes for each
 * changeset, the first four of its node and the number of its branch's name; observed in what
 * Mercurial 6.3 writes. Like an index it is read in the access mode; writing it is left to Mercurial.
 */
import type { AccessMode, AccessRecord } from '../bytes/access.ts'
import { type ByteSource, openByteSource } from '../bytes/byte-source.ts'
import { branchOf, type Changeset } from '../changelog/changeset.ts'
import { codeOf, RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'

/** A changeset's branch. */
export interface BranchOfRev {
  readonly branch: ByteString
  /** Whether the changeset closes it. */
  readonly closes: boolean
}

/** Branches until close(). */
export interface BranchLookup {
  branchOf(rev: number): BranchOfRev
  close(): void
}

/** Where branches are looked up. */
export interface BranchLookupOptions {
  readonly index: RevlogIndex
  readonly changeset: (rev: number) => Changeset
  /** Path of rbc-revs-v1. */
  readonly revsPath: string
  /** The content of rbc-names-v1. */
  readonly names: Uint8Array | undefined
  readonly mode: AccessMode
  /** A smaller cache is read, not mapped. */
  readonly mmapThreshold?: number
  /** Told of the cache when it was opened. */
  readonly onAccess?: (record: AccessRecord) => void
}

/** Bytes of a changeset in the cache, and the bit of a branch's number that says that it is closed. */
const RECORD_BYTES = 8
const CLOSES = 0x8000_0000

/** Opens the cache, if there is one. Throws `system`. */
export function openBranchLookup(options: BranchLookupOptions): BranchLookup {
  const { index, names } = options
  const fromText = (rev: number): BranchOfRev => {
    const changeset = options.changeset(rev)
    return { branch: branchOf(changeset), closes: changeset.extra.has('close') }
  }
  const source = names === undefined ? undefined : openRevs(options)
  if (names === undefined || source === undefined) {
    return { branchOf: fromText, close: () => undefined }
  }
  const branches = Buffer.from(names).toString('latin1').split('\0')
  const bytes = source.bytes()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    branchOf(rev) {
      // Throws `closed`: the view would point at nothing.
      source.bytes()
      const at = rev * RECORD_BYTES
      if (rev < 0 || at + RECORD_BYTES > view.byteLength) return fromText(rev)
      if (view.getUint32(at) !== index.nodeWord(rev)) return fromText(rev)
      const number = view.getUint32(at + 4)
      const branch = branches[number % CLOSES]
      if (branch === undefined || branch === '') return fromText(rev)
      return { branch, closes: number >= CLOSES }
    },
    close: () => source.close(),
  }
}

function openRevs(options: BranchLookupOptions): ByteSource | undefined {
  const { revsPath, mode, mmapThreshold } = options
  try {
    const threshold = mmapThreshold === undefined ? {} : { mmapThreshold }
    const source = openByteSource(revsPath, { mode, ...threshold })
    options.onAccess?.(source.access)
    return source
  } catch (cause) {
    if (cause instanceof RevlogError && codeOf(cause.cause) === 'ENOENT') return undefined
    throw cause
  }
}
