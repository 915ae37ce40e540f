/**
 * The bytes of one index file by one of the access modes. Codecs and readers take a ByteSource and
 * do not know how it came about. The rules are Mercurial's: map only from a size threshold up, never
 * on a network file system, populate by MAP_POPULATE where the kernel lacks MADV_POPULATE_READ; and
 * whatever prevents a mapping leads to a plain read, with the reason on record.
 */
import { closeSync, fstatSync, openSync, readSync, statfsSync } from 'node:fs'
import { RevlogError, reasonOf } from '../errors.ts'
import { loadMappingCalls, type MappingCalls } from '../native/libc.ts'
import { type AccessMode, type AccessRecord, DEFAULT_MMAP_THRESHOLD_BYTES } from './access.ts'
import { canPopulate, type MappedFile, mapFile } from './mapped-file.ts'

/** The bytes of a file until close(). */
export interface ByteSource {
  /** Bytes in the file when it was opened. */
  readonly length: number
  /** How the file was really read. */
  readonly access: AccessRecord
  /**
   * The bytes, without a copy. The view must not be used after close(): of a mapped file it would
   * then point at nothing. Throws `closed` after close().
   */
  bytes(): Uint8Array
  /** Gives the memory back; the second call does nothing. */
  close(): void
}

/** How to open a file. */
export interface OpenByteSourceOptions {
  readonly mode: AccessMode
  /** Smaller files are read; Mercurial's default, 1 MiB, if not given. */
  readonly mmapThreshold?: number
  /** Where the native calls come from; the C library if not given. */
  readonly loadCalls?: () => MappingCalls
}

/** statfs(2): the file system type of NFS. Mapping there is unsafe: the server may change the file. */
const NFS_SUPER_MAGIC = 0x6969

/** Opens a file's bytes. Throws `system` when the file cannot be opened or read. */
export function openByteSource(path: string, options: OpenByteSourceOptions): ByteSource {
  const fd = openFile(path)
  try {
    const length = fstatSync(fd).size
    const plan = planAccess(path, length, options)
    const request = { file: path, mode: options.mode, bytes: length }
    if (plan.calls === undefined) {
      return readSource(fd, length, accessRecord(request, 'read', 'no', plan.reason))
    }
    return mapOrRead(fd, request, plan.calls)
  } catch (error) {
    if (error instanceof RevlogError) throw error
    throw new RevlogError('system', `${path}: ${reasonOf(error)}`, { cause: error })
  } finally {
    closeSync(fd)
  }
}

interface Request {
  readonly file: string
  readonly mode: AccessMode
  readonly bytes: number
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new RevlogError('system', `${path}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Decides between reading and mapping: calls to map with, or the reason not to. */
function planAccess(
  path: string,
  length: number,
  options: OpenByteSourceOptions,
): { calls?: MappingCalls; reason?: string } {
  if (options.mode === 'no-mmap') return {}
  const threshold = options.mmapThreshold ?? DEFAULT_MMAP_THRESHOLD_BYTES
  if (length === 0) return { reason: 'empty file' }
  if (length < threshold) return { reason: `below the threshold of ${threshold} bytes` }
  if (process.platform !== 'linux') return { reason: `no mapping on ${process.platform}` }
  if (statfsSync(path).type === NFS_SUPER_MAGIC) return { reason: 'file system is nfs' }
  try {
    return { calls: (options.loadCalls ?? loadMappingCalls)() }
  } catch (error) {
    return { reason: `native calls are missing: ${firstLine(reasonOf(error))}` }
  }
}

function mapOrRead(fd: number, request: Request, calls: MappingCalls): ByteSource {
  const { file, mode, bytes } = request
  const threadPossible = mode === 'mmap-populate-thread' && canPopulate(calls)
  const atMap = mode !== 'mmap-no-populate' && !threadPossible
  const mapped = mapFile({ fd, sizeBytes: bytes, populate: atMap, name: file, calls })
  if (typeof mapped === 'string') {
    return readSource(fd, bytes, accessRecord(request, 'read', 'no', mapped))
  }
  if (threadPossible) {
    const obstacle = mapped.populateInThread()
    if (obstacle !== undefined) mapped.populateNow()
    const populated = obstacle === undefined ? 'second-thread' : 'main-thread'
    return mappedSource(mapped, accessRecord(request, 'mmap', populated, obstacle))
  }
  const reason = mode === 'mmap-populate-thread' ? 'kernel has no MADV_POPULATE_READ' : undefined
  return mappedSource(mapped, accessRecord(request, 'mmap', atMap ? 'main-thread' : 'no', reason))
}

function accessRecord(
  request: Request,
  used: AccessRecord['used'],
  populated: AccessRecord['populated'],
  reason: string | undefined,
): AccessRecord {
  const { file, mode, bytes } = request
  return { file, mode, used, populated, bytes, ...(reason === undefined ? {} : { reason }) }
}

function mappedSource(mapped: MappedFile, access: AccessRecord): ByteSource {
  return {
    length: mapped.sizeBytes,
    access,
    bytes: () => mapped.bytes(),
    close: () => mapped.close(),
  }
}

function readSource(fd: number, length: number, access: AccessRecord): ByteSource {
  let held: Uint8Array | undefined = readWhole(fd, length, access.file)
  return {
    length,
    access,
    bytes() {
      if (held === undefined) throw closedError(access.file)
      return held
    },
    close() {
      held = undefined
    },
  }
}

function readWhole(fd: number, length: number, name: string): Uint8Array {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, filled)
    if (count === 0) {
      throw new RevlogError('corrupt', `${name}: shrank from ${length} to ${filled} bytes`)
    }
    filled += count
  }
  return bytes
}

/** The error for using a source after its close(). */
export function closedError(name: string): RevlogError {
  return new RevlogError('closed', `${name}: used after close()`)
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
