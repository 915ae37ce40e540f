/**
 * Which files differ between two manifests. Both texts are sorted, so one walk over both finds it;
 * what they share is skipped by comparing memory, and only lines that differ are parsed.
 */
import { commonPrefixLength } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, bufferOver } from '../format/byte-string.ts'
import { type ManifestEntry, parseManifestLine } from '../manifest/manifest.ts'

/** A file that is not the same in both manifests; one side is missing if it was added or removed. */
export interface ManifestChange {
  readonly path: ByteString
  readonly before: ManifestEntry | undefined
  readonly after: ManifestEntry | undefined
}

const NEWLINE = 0x0a

/** The changes from one manifest text to another, sorted by path. Throws `corrupt`. */
export function manifestChanges(before: Uint8Array, after: Uint8Array): ManifestChange[] {
  const a = bufferOver(before)
  const b = bufferOver(after)
  const changes: ManifestChange[] = []
  let [atA, atB] = [0, 0]
  for (;;) {
    const shared = sharedLinesLength(a.subarray(atA), b.subarray(atB))
    atA += shared
    atB += shared
    const left = lineAt(a, atA)
    const right = lineAt(b, atB)
    if (left === undefined && right === undefined) return changes
    const order = compare(left?.entry.path, right?.entry.path)
    const change = {
      before: order <= 0 ? left : undefined,
      after: order >= 0 ? right : undefined,
    }
    changes.push({
      path: (change.before ?? change.after)?.entry.path ?? '',
      before: change.before?.entry,
      after: change.after?.entry,
    })
    atA = change.before?.end ?? atA
    atB = change.after?.end ?? atB
  }
}

/** Bytes of the whole lines that both start with. */
function sharedLinesLength(a: Buffer, b: Buffer): number {
  const length = commonPrefixLength(a, b)
  if (length === 0 || (length === a.length && length === b.length)) return length
  return a.lastIndexOf(NEWLINE, length - 1) + 1
}

interface Line {
  readonly entry: ManifestEntry
  /** Where the next line starts. */
  readonly end: number
}

function lineAt(text: Buffer, at: number): Line | undefined {
  if (at === text.length) return undefined
  const end = text.indexOf(NEWLINE, at)
  if (end < 0) throw new RevlogError('corrupt', 'a manifest ends inside a line')
  return { entry: parseManifestLine(text.toString('latin1', at, end)), end: end + 1 }
}

/** Order of two paths; what is missing comes last. */
function compare(a: ByteString | undefined, b: ByteString | undefined): number {
  if (a === undefined) return 1
  if (b === undefined) return -1
  return a < b ? -1 : a > b ? 1 : 0
}
