/**
 * Writing at a file's end. A file that has other names as well, as after a local clone, is first made
 * this name's own: the others must not see what is written now.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, RevlogError } from '../errors.ts'
import { besideName } from '../transaction/repository-files.ts'

/** Small pieces are put together and written in batches of this size. */
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Writes pieces from `start` on, where the file is to end so far; from 0 on it is a new file. What an
 * interrupted writer may have left behind is cut off. Throws `corrupt` for a file that is shorter, and
 * what the system throws.
 */
export function appendAt(path: string, start: number, pieces: Iterable<Uint8Array>): void {
  const fd = start === 0 ? createFile(path) : openAlone(path)
  try {
    const { size } = fstatSync(fd)
    if (size < start) throw tooShort(path)
    if (size > start) ftruncateSync(fd, start)
    let position = start
    for (const batch of batches(pieces)) {
      writeAll(fd, batch, position)
      position += batch.length
    }
  } finally {
    closeSync(fd)
  }
}

/** A new file, whatever a file of that name may have been left behind by. */
function createFile(path: string): number {
  rmSync(path, { force: true })
  try {
    return openSync(path, 'wx')
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
  }
  mkdirSync(dirname(path), { recursive: true })
  return openSync(path, 'wx')
}

function openAlone(path: string): number {
  const fd = openExisting(path)
  if (fstatSync(fd).nlink <= 1) return fd
  closeSync(fd)
  const beside = besideName(path)
  copyFileSync(path, beside, constants.COPYFILE_FICLONE)
  renameSync(beside, path)
  return openSync(path, 'r+')
}

/** Where bytes should be, a file that is missing is one that is shorter. */
function openExisting(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch (cause) {
    throw codeOf(cause) === 'ENOENT' ? tooShort(path) : cause
  }
}

function tooShort(path: string): RevlogError {
  return new RevlogError('corrupt', `${path}: shorter than its index says; run \`hg verify\``)
}

/** Pieces put together until each batch is worth a call. */
function* batches(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let batch: Uint8Array[] = []
  let bytes = 0
  for (const piece of pieces) {
    batch.push(piece)
    bytes += piece.length
    if (bytes < BATCH_BYTES) continue
    yield Buffer.concat(batch)
    batch = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(batch)
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written)
  }
}
