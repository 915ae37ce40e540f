/**
 * The shape of a repository: the numbers by which a generated history resembles a real one. What
 * the preset of a well-known repository is, and where its numbers come from, is in presets.ts.
 */

/** How large a generated repository is, how it branches, and what a changeset changes. */
export interface DatasetShape {
  /** Changesets in all. */
  readonly changesets: number
  /** Files over all of history (filelogs, about); 0 for changesets without any file. */
  readonly historyFiles: number
  /** Files that are tracked at the end, about; the others were removed on the way. */
  readonly trackedFiles: number
  /** Files that the first changeset brings. */
  readonly initialFiles: number
  /** Directories above a file, at most. */
  readonly directoryDepth: number
  /** Lines of a new file, median. */
  readonly fileLines: number
  /** Files that a changeset changes, mean; merges apart. */
  readonly filesPerChangeset: number
  /** Fraction of the changesets that are merges, about. */
  readonly mergeRatio: number
  /** Open heads at the end, about. */
  readonly heads: number
  /** Changesets on a line of work that ends in an open head, mean. */
  readonly headLength: number
  /** Named branches beside the default one, at most. */
  readonly branches: number
  /** Committers. */
  readonly users: number
  /** Bytes of a description, mean. */
  readonly messageBytes: number
  /** Whether open heads are drafts, as in a repository that does not publish. */
  readonly draftHeads: boolean
}

/** A named family of shapes. */
export interface DatasetPreset {
  readonly name: string
  /** One line for a person who chooses. */
  readonly summary: string
  /** The shape at a fraction of the original's changesets (1: as large as the original). */
  shape(scale: number): DatasetShape
}
