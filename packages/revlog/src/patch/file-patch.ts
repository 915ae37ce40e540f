/**
 * One file's part of a patch: header and body, in the plain form and in git's.
 */
import type { ByteString } from '../format/byte-string.ts'
import type { ManifestFlag } from '../manifest/manifest.ts'
import { gitBinaryPatch, isBinary } from './git-binary.ts'
import { unifiedHunks } from './unified.ts'

/** A file on one side of a patch. */
export interface FileSide {
  readonly path: ByteString
  readonly flag: ManifestFlag
  readonly content: Uint8Array
}

/** A file that changed; one side is missing if it was added or removed. */
export interface FilePair {
  readonly before: FileSide | undefined
  readonly after: FileSide | undefined
  /** In git's form: the first side is another file, of which this one is a copy. */
  readonly origin?: 'copy' | 'rename'
}

/** What the headers of the plain form say of the two changesets. */
export interface PatchSides {
  /** Short nodes. */
  readonly beforeNode: string
  readonly afterNode: string
  /** Dates in the long form. */
  readonly beforeDate: string
  readonly afterDate: string
}

const NO_BYTES = new Uint8Array(0)

/** The date that stands beside a missing side. */
const EPOCH = 'Thu Jan 01 00:00:00 1970 +0000'

/** The plain form; empty if nothing can be seen in it, as when only a mode changed. */
export function plainFilePatch(
  { before, after }: FilePair,
  sides: PatchSides,
  contextLines: number,
): ByteString {
  const path = (after ?? before)?.path ?? ''
  const [old, current] = [before?.content ?? NO_BYTES, after?.content ?? NO_BYTES]
  const head = `diff -r ${sides.beforeNode} -r ${sides.afterNode} ${path}\n`
  if (isBinary(old) || isBinary(current)) {
    const differs = before === undefined || after === undefined || !sameBytes(old, current)
    return differs ? `${head}Binary file ${path} has changed\n` : ''
  }
  const hunks = unifiedHunks(old, current, contextLines)
  if (hunks === '') return ''
  const from = before === undefined ? `/dev/null\t${EPOCH}` : `a/${path}\t${sides.beforeDate}`
  const to = after === undefined ? `/dev/null\t${EPOCH}` : `b/${path}\t${sides.afterDate}`
  return `${head}--- ${from}\n+++ ${to}\n${hunks}`
}

/** git's form, which also shows modes, copies and binary content; empty if nothing changed. */
export function gitFilePatch(pair: FilePair, contextLines: number): ByteString {
  const { before, after } = pair
  const from = (before ?? after)?.path ?? ''
  const to = (after ?? before)?.path ?? ''
  const extended = extendedHeader(pair)
  const head = `diff --git a/${from} b/${to}\n${extended}`
  const [old, current] = [before?.content ?? NO_BYTES, after?.content ?? NO_BYTES]
  // Other nodes and the same content: a merge can make that. Nothing is said of it.
  if (sameBytes(old, current)) return extended === '' ? '' : head
  if (isBinary(old) || isBinary(current)) {
    return head + gitBinaryPatch(before?.content, after?.content)
  }
  const fromName = before === undefined ? '/dev/null' : named('a', from)
  const toName = after === undefined ? '/dev/null' : named('b', to)
  return `${head}--- ${fromName}\n+++ ${toName}\n${unifiedHunks(old, current, contextLines)}`
}

/** A name with a blank in it is ended by a tab, for programs that would cut it there. */
function named(side: string, path: ByteString): ByteString {
  return `${side}/${path}${path.includes(' ') ? '\t' : ''}`
}

const MODES: Readonly<Record<ManifestFlag, string>> = { '': '100644', x: '100755', l: '120000' }

function extendedHeader({ before, after, origin }: FilePair): ByteString {
  if (before === undefined) return `new file mode ${MODES[after?.flag ?? '']}\n`
  if (after === undefined) return `deleted file mode ${MODES[before.flag]}\n`
  const mode =
    before.flag === after.flag
      ? ''
      : `old mode ${MODES[before.flag]}\nnew mode ${MODES[after.flag]}\n`
  if (origin === undefined) return mode
  return `${mode}${origin} from ${before.path}\n${origin} to ${after.path}\n`
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}
