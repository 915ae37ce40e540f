/**
 * Fresh copies for benchmarks that write: blocks shared with the original where the file system can
 * (Btrfs, XFS), bytes elsewhere. Modes and modification times come along to the nanosecond, since
 * a dirstate compares them: a copy with other times would have its files read again.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import koffi from 'koffi'
import { copyFailed } from './errors.ts'
import { SystemFault } from './system-fault.ts'

/** What a copy came to. */
export interface DatasetCopy {
  /** Whether every file shares its blocks with the original; false for a dataset without files. */
  readonly reflinked: boolean
  /** Bytes of all files. */
  readonly bytes: number
}

/** What copyfile(2) and ioctl_ficlone(2) say where blocks cannot be shared. */
const noSharingCodes = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'ENOTTY', 'EOPNOTSUPP', 'EXDEV'])

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : ''

type SetTimes = (folder: number, path: Buffer, times: Buffer, flags: number) => number

let setTimes: SetTimes | null = null

// fcntl.h
const atCurrentFolder = -100
const atSymlinkNoFollow = 0x100

/** Node's own utimes takes doubles, which hold no nanoseconds. */
const copyTimes = (path: Buffer, facts: { atimeNs: bigint; mtimeNs: bigint }): void => {
  // A foreign function has no type of its own: the declaration in the string is what it must be.
  setTimes ??= koffi.load(null).func('int utimensat(int, void *, void *, int)') as SetTimes
  const times = Buffer.alloc(32)
  for (const [at, time] of [facts.atimeNs, facts.mtimeNs].entries()) {
    times.writeBigInt64LE(time / 1_000_000_000n, at * 16)
    times.writeBigInt64LE(time % 1_000_000_000n, at * 16 + 8)
  }
  const name = Buffer.concat([path, Buffer.alloc(1)])
  if (setTimes(atCurrentFolder, name, times, atSymlinkNoFollow) < 0)
    throw new SystemFault(koffi.errno())
}

const inside = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, slash, name])
const slash = Buffer.from('/')

/** A copy under way: what it has come to, and whether sharing is still worth a try. */
interface Progress {
  sharing: boolean
  files: number
  shared: number
  bytes: number
}

/** Whether the file now shares its blocks with the original; false where that is not possible. */
const shareContent = (from: Buffer, to: Buffer, progress: Progress): boolean => {
  if (!progress.sharing) return false
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE)
    progress.shared += 1
    return true
  } catch (cause) {
    if (!noSharingCodes.has(codeOf(cause))) throw cause
    progress.sharing = false // nor will the other files
    return false
  }
}

/** Larger files are copied by a thread of their own; for smaller ones to ask it costs more. */
const largestAtOnce = 1n << 20n

const copyContent = async (from: Buffer, to: Buffer, size: bigint): Promise<void> => {
  if (size <= largestAtOnce) copyFileSync(from, to, constants.COPYFILE_EXCL)
  else await copyFile(from, to, constants.COPYFILE_EXCL)
}

const copyEntry = async (from: Buffer, to: Buffer, progress: Progress): Promise<void> => {
  const facts = lstatSync(from, { bigint: true })
  if (facts.isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), to)
  else if (facts.isDirectory()) {
    mkdirSync(to, { mode: 0o700 })
    for (const name of readdirSync(from, 'buffer'))
      await copyEntry(inside(from, name), inside(to, name), progress)
    // A lease is renewed by timers: they have their turn after each folder.
    await setImmediate()
  } else if (facts.isFile()) {
    progress.files += 1
    if (!shareContent(from, to, progress)) await copyContent(from, to, facts.size)
    progress.bytes += Number(facts.size)
  } else throw new Error(`${from.toString()} is neither file, folder nor link`)
  if (!facts.isSymbolicLink()) chmodSync(to, Number(facts.mode & 0o7777n))
  copyTimes(to, facts)
}

/**
 * Copies a folder to a name that must not exist yet. Links stay links; owners and hard links are not
 * kept. Rejects with `copy-failed`; what was copied until then stays.
 */
export const copyDataset = async (from: string, to: string): Promise<DatasetCopy> => {
  const progress: Progress = { sharing: true, files: 0, shared: 0, bytes: 0 }
  try {
    await copyEntry(Buffer.from(from), Buffer.from(to), progress)
  } catch (cause) {
    throw copyFailed({ from, to, reason: cause instanceof Error ? cause.message : String(cause) })
  }
  return {
    reflinked: progress.files > 0 && progress.shared === progress.files,
    bytes: progress.bytes,
  }
}
