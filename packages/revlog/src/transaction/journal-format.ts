/**
 * The two files of a journal, by which an interrupted transaction is undone. `journal`: a line
 * `path NUL length` for each store file that grows, 0 for one that is new; of several lines for one
 * path the last one counts. `journal.backupfiles`: a line `2`, then for each file that is replaced
 * `location NUL path NUL backup NUL 0`; without a backup the file is new, without a path the backup is
 * a temporary file. Paths are as before the store's encoding. (Observed in what Mercurial 6.3 writes
 * and recovers.)
 */
import { RevlogError } from '../errors.ts'
import { type ByteString, byteString, bytesOf } from '../format/byte-string.ts'

/** The folder that a path is in: .hg/store, or .hg itself. */
export type JournalLocation = 'store' | 'plain'

/** A file of a repository. */
export interface FilePlace {
  readonly location: JournalLocation
  readonly path: ByteString
}

/** A file that is replaced or made. */
export interface JournalBackup extends FilePlace {
  /** Where its former content is; '' if there was none. */
  readonly backup: ByteString
  /** Whether the file is a cache, which need not be restored. */
  readonly cache: boolean
}

/** The first line of journal.backupfiles. */
export const BACKUP_HEADER = '2\n'

const NUL = '\0'

/** One line of a journal. */
export function serializeGrowth(path: ByteString, length: number): Uint8Array {
  return bytesOf(`${path}${NUL}${length}\n`)
}

/** The lengths to cut files back to. Throws `corrupt`. */
export function parseGrowths(bytes: Uint8Array): ReadonlyMap<ByteString, number> {
  const growths = new Map<ByteString, number>()
  for (const line of linesOf(bytes)) {
    const [path = '', length = '', ...more] = line.split(NUL)
    if (path === '' || more.length > 0 || !/^\d{1,15}$/.test(length)) {
      throw new RevlogError('corrupt', `journal has the line ${JSON.stringify(line)}`)
    }
    growths.set(checkedPath(path), Number(length))
  }
  return growths
}

/** One line of a journal's backups. */
export function serializeBackup({ location, path, backup, cache }: JournalBackup): Uint8Array {
  const fields = [location === 'store' ? '' : location, path, backup, cache ? '1' : '0']
  return bytesOf(`${fields.join(NUL)}\n`)
}

/** The backups; an empty file has none. Throws `corrupt`, `unsupported` for another version. */
export function parseBackups(bytes: Uint8Array): JournalBackup[] {
  const [header, ...lines] = linesOf(bytes)
  if (header === undefined) return []
  if (`${header}\n` === BACKUP_HEADER) return lines.map(parseBackup)
  throw new RevlogError(
    'unsupported',
    `journal was created by a different version of Mercurial: ${JSON.stringify(header)}`,
  )
}

function parseBackup(line: string): JournalBackup {
  const [location, path, backup, cache, ...more] = line.split(NUL)
  const known = location === '' || location === 'plain'
  if (!known || path === undefined || backup === undefined || more.length > 0) {
    throw new RevlogError('corrupt', `journal.backupfiles has the line ${JSON.stringify(line)}`)
  }
  return {
    location: location === '' ? 'store' : 'plain',
    path: checkedPath(path),
    backup: checkedPath(backup),
    cache: cache === '1',
  }
}

/** A journal must not make a recovery touch anything outside of the repository. */
function checkedPath(path: ByteString): ByteString {
  if (!path.startsWith('/') && !path.split('/').includes('..')) return path
  throw new RevlogError('corrupt', `journal names ${JSON.stringify(path)}`)
}

/** The lines; one that is cut short is none: what it was to announce had not been done. */
function linesOf(bytes: Uint8Array): string[] {
  return byteString(bytes).split('\n').slice(0, -1)
}
