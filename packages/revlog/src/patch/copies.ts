/**
 * Where added files were copied from, for patches in git's form. A filelog text says what it is a
 * copy of; a file that came through a merge may have been copied some revisions before.
 */
import { parseFileText } from '../filelog/file-text.ts'
import type { ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { ManifestEntry } from '../manifest/manifest.ts'
import type { ManifestChange } from './manifest-changes.ts'
import type { OpenFilelogs } from './open-filelogs.ts'

/** Finds a file in the manifest that the patch starts from. */
export type FindBefore = (path: ByteString) => ManifestEntry | undefined

/** The source of each added file that is a copy, by the added file's path. */
export function findCopies(
  changes: readonly ManifestChange[],
  filelogs: OpenFilelogs,
  before: FindBefore,
): ReadonlyMap<ByteString, ManifestEntry> {
  const copies = new Map<ByteString, ManifestEntry>()
  for (const { path, before: old, after } of changes) {
    if (old !== undefined || after === undefined) continue
    const source = traceSource(after, filelogs, before)
    if (source !== undefined) copies.set(path, source)
  }
  return copies
}

type FileRevision = Pick<ManifestEntry, 'path' | 'nodeHex'>

/** Follows a file's ancestors and copies until one is found that the patch starts from. */
function traceSource(
  file: FileRevision,
  filelogs: OpenFilelogs,
  before: FindBefore,
): ManifestEntry | undefined {
  const waiting: FileRevision[] = [file]
  const seen = new Set<string>()
  for (let current = waiting.shift(); current !== undefined; current = waiting.shift()) {
    const key = `${current.nodeHex}${current.path}`
    if (seen.has(key)) continue
    seen.add(key)
    const found = before(current.path)
    if (found?.nodeHex === current.nodeHex) return found
    waiting.push(...originsOf(current, filelogs))
  }
  return undefined
}

function originsOf(file: FileRevision, filelogs: OpenFilelogs): FileRevision[] {
  const { metadata } = parseFileText(filelogs.text(file))
  const [copy, copyrev] = [metadata.get('copy'), metadata.get('copyrev')]
  const filelog = filelogs.get(file.path)
  const rev = filelogs.revOf(file)
  const origins: FileRevision[] = []
  if (copy !== undefined && copyrev !== undefined) origins.push({ path: copy, nodeHex: copyrev })
  for (const parent of [filelog.index.p1(rev), filelog.index.p2(rev)]) {
    if (parent !== NULL_REV) origins.push({ path: file.path, nodeHex: filelog.nodeHex(parent) })
  }
  return origins
}
