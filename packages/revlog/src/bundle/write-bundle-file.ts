/**
 * A bundle's pieces into a file: all of them, or no file.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { RevlogError, reasonOf } from '../errors.ts'

/** Writes the pieces to a new or emptied file, which goes away again on any error. */
export function writeBundleFile(path: string, pieces: Iterable<Uint8Array>): void {
  const fd = openForWriting(path)
  try {
    for (const piece of pieces) writeAll(fd, piece)
  } catch (cause) {
    rmSync(path, { force: true })
    if (cause instanceof RevlogError) throw cause
    throw new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
  } finally {
    closeSync(fd)
  }
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (cause) {
    throw new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
}
