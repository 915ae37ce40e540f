/**
 * The words for how an index file is read into memory: what was asked for and what was done. The
 * four modes are what benchmark campaigns over Mercurial's `storage.revlog.mmap.index` compare
 * (Mercurial changes c10fa6388dbf, 522b4d729e89, b619ba39d10a).
 */

/** How index files are to be read. */
export type AccessMode = 'no-mmap' | 'mmap-no-populate' | 'mmap-populate' | 'mmap-populate-thread'

/** All access modes, in the order in which help texts list them. */
export const ACCESS_MODES: readonly AccessMode[] = [
  'no-mmap',
  'mmap-no-populate',
  'mmap-populate',
  'mmap-populate-thread',
]

/** The mode that Mercurial 6.9 and later use by default on Linux. */
export const DEFAULT_ACCESS_MODE: AccessMode = 'mmap-populate-thread'

/** Files below this many bytes are read, never mapped: `storage.revlog.mmap.index:size-threshold`. */
export const DEFAULT_MMAP_THRESHOLD_BYTES = 1_048_576

/** What was asked for one file and what was done. */
export interface AccessRecord {
  readonly file: string
  readonly mode: AccessMode
  readonly used: 'read' | 'mmap'
  readonly populated: 'no' | 'main-thread' | 'second-thread'
  readonly bytes: number
  /** Why what was done is not what the mode says; left out when it is. */
  readonly reason?: string
}

/** True for the name of an access mode. */
export function isAccessMode(name: string): name is AccessMode {
  return ACCESS_MODES.some((mode) => mode === name)
}
