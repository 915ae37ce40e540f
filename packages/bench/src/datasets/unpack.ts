/**
 * Unpacks the history of a repository from a tar archive that nobody vouches for. Only files of `.hg`
 * that make a dataset are written, under names that cannot lead elsewhere, at sizes that are checked
 * before they are read; an archive that has anything to do with other places is refused whole.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  openSync,
  readSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Headers } from 'tar-stream'
import { archiveUnsafe, datasetSourceUnusable, programFailed, programMissing } from '../errors.ts'
import { isHistory } from './history-files.ts'

/** What to unpack, and where to. */
export interface Unpacking {
  readonly file: string
  /** Where it comes from, for messages. */
  readonly place: string
  /** The repository's folder; it is not there yet. */
  readonly directory: string
  /** Bytes that it may come to. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

/** More than the largest known repositories have; chosen. */
const mostEntries = 20_000_000

/** Programs that unpack what Node 20 cannot, by how a file begins (hexadecimal). */
const unpackers: readonly (readonly [string, string])[] = [
  ['28b52ffd', 'zstd'],
  ['fd377a585a00', 'xz'],
  ['425a68', 'bzip2'],
]

const beginningOf = (file: string): string => {
  const fd = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(6)
    return bytes.subarray(0, readSync(fd, bytes)).toString('hex')
  } finally {
    closeSync(fd)
  }
}

const startUnpacker = (program: string, file: string): ChildProcess => {
  const fd = openSync(file, 'r')
  const environment = { PATH: process.env['PATH'] ?? '' }
  const child = spawn(program, ['-dc'], { stdio: [fd, 'pipe', 'ignore'], env: environment })
  closeSync(fd)
  return child
}

/** The archive's bytes: those of the file, or what they are packed from. */
interface Archive {
  readonly bytes: Readable
  /** Settles after the last byte; rejects if there should have been more. */
  readonly whole: Promise<void>
}

const openGzip = (file: string): Archive => {
  const bytes = createGunzip()
  return { bytes, whole: pipeline(createReadStream(file), bytes) }
}

const openPacked = (program: string, file: string): Archive => {
  const child = startUnpacker(program, file)
  const { stdout } = child
  if (stdout === null) throw new Error('a pipe was asked for')
  const whole = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(programMissing(program, error.message)))
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(programFailed(program, `exited with ${code}`, ''))
    })
  })
  return { bytes: stdout, whole }
}

const openArchive = (file: string): Archive => {
  const beginning = beginningOf(file)
  if (beginning.startsWith('1f8b')) return openGzip(file)
  const program = unpackers.find(([magic]) => beginning.startsWith(magic))?.[1]
  if (program !== undefined) return openPacked(program, file)
  return { bytes: createReadStream(file), whole: Promise.resolve() }
}

const leadsOut = (path: string): boolean =>
  path.startsWith('/') || path.split('/').includes('..') || path.includes('\0')

/** Whether a link's target lies outside of the archive. */
const linksOut = ({ type, name, linkname }: Headers): boolean => {
  const target = linkname ?? ''
  if (target.startsWith('/') || target.includes('\0')) return true
  const from = type === 'symlink' ? posix.dirname(name) : '.'
  return posix.normalize(posix.join(from, target)).split('/')[0] === '..'
}

/** The repository of an archive, entry by entry. */
interface Sorting {
  readonly place: string
  /** The folder in the archive that has the `.hg`, once it was seen. */
  root: string | null
}

/** Refuses what has to do with other places; throws `archive-unsafe`. */
const checkEntry = (header: Headers, place: string): void => {
  const { name, type } = header
  if (leadsOut(name)) throw archiveUnsafe(place, `it has a name that leads out of it: ${name}`)
  if (type === 'symlink' || type === 'link') {
    if (linksOut(header)) throw archiveUnsafe(place, `it has a link that leads out of it: ${name}`)
  } else if (type !== 'file' && type !== 'contiguous-file' && type !== 'directory') {
    throw archiveUnsafe(place, `${name} is neither file, folder nor link`)
  }
}

/** Path below `.hg` of a file that is wanted; null of any other. Throws `archive-unsafe`. */
const wantedPath = (header: Headers, sorting: Sorting): string | null => {
  const { name, type } = header
  const { place } = sorting
  checkEntry(header, place)
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  const at = segments.indexOf('.hg')
  // The repository is at the top, or in a folder there; those deeper are parts of it.
  if (at < 0 || at > 1 || type === 'directory') return null
  const root = segments.slice(0, at).join('/')
  sorting.root ??= root
  if (sorting.root !== root) throw datasetSourceUnusable(place, 'has more than one repository')
  const below = segments.slice(at + 1)
  if (below.length === 1 && below[0] === 'sharedpath') {
    throw datasetSourceUnusable(place, 'is a share; pack the repository that it shares')
  }
  if (!isHistory(below)) return null
  const isLink = type === 'symlink' || type === 'link'
  if (isLink) throw archiveUnsafe(place, `it has a link in its store: ${name}`)
  return below.join('/')
}

const unpackEntries = async (unpacking: Unpacking, entries: ReturnType<typeof extract>) => {
  const { place, directory, limit, signal } = unpacking
  const sorting: Sorting = { place, root: null }
  let [bytes, count] = [0, 0]
  for await (const entry of entries) {
    signal?.throwIfAborted()
    bytes += entry.header.size ?? 0
    count += 1
    if (bytes > limit || count > mostEntries) {
      throw archiveUnsafe(place, 'unpacked, it does not fit on the disk')
    }
    const path = wantedPath(entry.header, sorting)
    if (path === null) {
      entry.resume()
      continue
    }
    const target = join(directory, '.hg', path)
    mkdirSync(dirname(target), { recursive: true })
    await pipeline(entry, createWriteStream(target, { flags: 'wx' }))
  }
}

/** Unpacks; rejects with `archive-unsafe`, `dataset-source-unusable` or `program-missing`. */
export const unpackRepository = async (unpacking: Unpacking): Promise<void> => {
  const { bytes, whole } = openArchive(unpacking.file)
  const entries = extract()
  bytes.once('error', (error) => entries.destroy(error))
  whole.catch((error: unknown) =>
    entries.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  bytes.pipe(entries)
  try {
    mkdirSync(unpacking.directory)
    await unpackEntries(unpacking, entries)
    await whole
  } finally {
    bytes.destroy()
    entries.destroy()
  }
}
