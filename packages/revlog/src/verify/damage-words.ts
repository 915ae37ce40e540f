/**
 * Mercurial's words for what is wrong with one revision or one revlog, so that a report of damage
 * reads the same from both programs. What a decompressor says in its own words stays as it says it.
 */
import { codeOf, RevlogError, reasonOf } from '../errors.ts'
import { KNOWN_REVISION_FLAGS, REVISION_ELLIPSIS, REVISION_EXTSTORED } from '../format/constants.ts'

/** First bytes of chunks that a revlog knows (`hg help internals.revlogs`): NUL, `u`, `x`, `(`. */
const KNOWN_CHUNK_STARTS: ReadonlySet<number> = new Set([0x00, 0x75, 0x78, 0x28])

/** Why revision flags forbid reading the text here; undefined where they do not. */
export function flagProblem(flags: number): string | undefined {
  const unknown = flags & ~KNOWN_REVISION_FLAGS
  if (unknown !== 0) return `incompatible revision flag '0x${unknown.toString(16)}'`
  const foreign = flags & (REVISION_EXTSTORED | REVISION_ELLIPSIS)
  return foreign === 0 ? undefined : `missing processor for flag '0x${foreign.toString(16)}'`
}

/** Why a stored chunk could not be opened. */
export function chunkProblem(chunk: Uint8Array, cause: unknown): string {
  const [start] = chunk
  if (start !== undefined && !KNOWN_CHUNK_STARTS.has(start)) {
    return `unknown compression type ${start.toString(16).padStart(2, '0')}`
  }
  const reason = reasonOf(cause)
  if (!(cause instanceof RevlogError) || cause.code !== 'corrupt') return reason
  const [, library] = /^a \w+ chunk of \d+ bytes cannot be read \((.*)\): run /s.exec(reason) ?? []
  const words = (library ?? reason).replace(/^zstd: /, 'zstd decompressor error: ')
  return `revlog decompress error: ${words}`
}

/** Why a file could not be read, as Python says it. */
export function fileProblem(path: string, cause: unknown): string {
  const origin = cause instanceof RevlogError ? cause.cause : cause
  if (codeOf(origin) === 'ENOENT') return `[Errno 2] No such file or directory: b'${path}'`
  return reasonOf(cause)
}

/** Why a revlog could not be opened: its index is cut short, or of a format that is not known. */
export function revlogProblem(name: string, cause: RevlogError): string {
  if (cause.code === 'corrupt') return `index ${name} is corrupted`
  const [, version] = /revlog version (\d+) is not known/.exec(cause.message) ?? []
  return version === undefined ? cause.message : `unknown version (${version}) in revlog ${name}`
}
