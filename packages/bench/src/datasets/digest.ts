/**
 * The identity of a dataset: a digest of its store. Working files, caches and locks do not count, so
 * that reading a dataset with any program leaves it the same dataset.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const READ_BYTES = 1024 * 1024

/**
 * SHA-256 over the repository's requirements and its store: each file's name, size and content, in
 * byte order of the names; 64 hex digits. It reads every byte (about 1 GB a second from memory).
 */
export const datasetDigest = (directory: string): string => {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(READ_BYTES)
  for (const name of datasetFiles(directory).filter(isContent)) {
    const path = join(directory, name)
    hash.update(`${name}\0${statSync(path).size}\0`, 'latin1')
    hashFile(hash, path, buffer)
  }
  return hash.digest('hex')
}

/**
 * A cheap stand-in for the digest on one machine: the same files with the same sizes and times of
 * change have the same stamp. Nothing is read but the folders.
 */
export const datasetStamp = (directory: string): string => {
  const hash = createHash('sha256')
  for (const name of datasetFiles(directory)) {
    const { size, mtimeMs, ino } = statSync(join(directory, name))
    hash.update(`${name}\0${size}\0${mtimeMs}\0${ino}\0`, 'latin1')
  }
  return hash.digest('hex')
}

/**
 * A persistent nodemap is made of the index and of a random name, so never the same twice, and of no
 * meaning beside it; what a transaction leaves means nothing either. Both lie at the top of the store.
 */
const withoutMeaning = /^\.hg\/store\/(00[a-z]+(-[0-9a-f]+)?\.nd?|(undo|journal)[^/]*|w?lock)$/

const isContent = (name: string): boolean => !withoutMeaning.test(name)

/** Paths below `directory` of what counts, in byte order. Store names are plain ASCII. */
const datasetFiles = (directory: string): readonly string[] => {
  const store = join(directory, '.hg', 'store')
  const inStore = readdirSync(store, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
  return ['.hg/requires', ...inStore].sort()
}

const hashFile = (hash: Hash, path: string, buffer: Buffer): void => {
  const fd = openSync(path, 'r')
  try {
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) {
      hash.update(buffer.subarray(0, read))
    }
  } finally {
    closeSync(fd)
  }
}
