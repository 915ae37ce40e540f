/**
 * Cold starts without root: the kernel is asked to forget the pages of one folder's files. Other
 * files, the child's own program among them, stay as they are; what a file system keeps nowhere
 * else (tmpfs) cannot be forgotten. And warm starts of files that nobody has read yet.
 */
import { closeSync, fdatasyncSync, openSync, readdirSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import koffi from 'koffi'
import { pagesNotDropped } from './errors.ts'

/** POSIX_FADV_DONTNEED of Linux (posix_fadvise(2)): the pages will not be needed soon. */
const dontNeed = 4

type Advise = (fd: number, offset: number, length: number, advice: number) => number

let advise: Advise | null = null

/** posix_fadvise(2); gives an error number, 0 if all went well. */
const loadAdvise = (): Advise => {
  // The process itself: Node links the C library, whatever its file is called. A foreign function has
  // no type of its own: the declaration in the string is what it must be.
  advise ??= koffi
    .load(null)
    .func('int posix_fadvise(int fd, int64_t offset, int64_t length, int advice)') as Advise
  return advise
}

const dropFile = (path: string): void => {
  const fd = openSync(path, 'r')
  try {
    // Only clean pages can be dropped.
    fdatasyncSync(fd)
    const error = loadAdvise()(fd, 0, 0, dontNeed)
    if (error !== 0) throw pagesNotDropped(path, `posix_fadvise gives error ${error}`)
  } finally {
    closeSync(fd)
  }
}

const readBytes = 1024 * 1024

const loadFile = async (path: string, buffer: Buffer): Promise<void> => {
  const file = await open(path, 'r')
  try {
    while ((await file.read(buffer)).bytesRead > 0);
  } finally {
    await file.close()
  }
}

/** Reads every file below `folder` once, so that its pages are cached as far as memory goes. */
export const loadPages = async (folder: string): Promise<void> => {
  const buffer = Buffer.alloc(readBytes)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    if (entry.isFile()) await loadFile(join(entry.parentPath, entry.name), buffer)
}

/** Drops the cached pages of every file below `folder`. Throws `pages-not-dropped`. */
export const dropPages = (folder: string): void => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (entry.isFile()) dropFile(join(entry.parentPath, entry.name))
}
