/**
 * The errors of this package. Every failure that a caller can meet has one stable code, so that an
 * embedding program decides by code and prints by message. What exit status a code becomes is the
 * command line's business.
 */

/** What can go wrong, by stable name. */
export type RevlogErrorCode =
  /** A file's header names a version or a flag that this package does not know. */
  | 'unknown-format'
  /** A repository requires something that this package does not know. */
  | 'unknown-requirement'
  /** Bytes on disk or on the wire contradict their own format: wrong size, range or checksum. */
  | 'corrupt'
  /** A stream ends inside what it should hold. */
  | 'truncated'
  /** A bundle has a mandatory part or parameter that this package does not know. */
  | 'unknown-part'
  /** A stream needs libbz2, which is not there. */
  | 'no-bzip2'
  /** A text does not hash to the node that its index entry states. */
  | 'hash-mismatch'
  /** The revision was censored: its content is gone on purpose. */
  | 'censored'
  /** The revision's content is kept outside the repository. */
  | 'external-storage'
  /** The thing was used after close(). */
  | 'closed'
  /** A declared size is larger than this package is willing to allocate. */
  | 'too-large'
  /** No such revision, node, name or prefix. */
  | 'unknown-revision'
  /** A node prefix that several revisions share. */
  | 'ambiguous-prefix'
  /** The path is not inside a Mercurial repository. */
  | 'not-a-repository'
  /** A file is tracked nowhere in the store. */
  | 'unknown-file'
  /** Mercurial can do this, this package cannot yet. */
  | 'unsupported'
  /** An expression for revisions is not well formed. */
  | 'parse-error'
  /** The caller's arguments make no sense. */
  | 'usage'
  /** The remote repository answers with something else than its protocol, or not at all. */
  | 'protocol'
  /** The remote repository refused, or it changed while it was being pushed to. */
  | 'remote-refused'
  /** A push would make heads or branches that were not asked for. */
  | 'push-refused'
  /** A setting is missing that a command needs. */
  | 'not-configured'
  /** The two repositories have no changeset in common. */
  | 'unrelated'
  /** Another process holds a lock and keeps it. */
  | 'locked'
  /** An interrupted transaction lies in the store: it must be rolled back first. */
  | 'abandoned-transaction'
  /** The operating system refused: its own words are in the message. */
  | 'system'
  /** A native library that is needed could not be loaded. */
  | 'native-missing'

/** An error of the revlog engine: a stable `code` and a message that says what is wrong and what to do. */
export class RevlogError extends Error {
  readonly code: RevlogErrorCode

  constructor(code: RevlogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RevlogError'
    this.code = code
  }
}

/** The system's name for an error, such as `ENOENT`; undefined for what has none. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** The system's words for a failure of unknown type, for use inside a message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
