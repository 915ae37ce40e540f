/**
 * The data file (.d) of a revlog, read by position: small requests through an aligned window, long
 * delta chains by a few larger reads that leave big gaps out. It is never mapped, as in Mercurial.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { RevlogError, reasonOf } from '../errors.ts'

/** Reads are aligned to this many bytes, so that reading backwards profits as forwards. */
const WINDOW_BYTES = 65_536

/** Ranges closer than this are read by one call: reading 16 KiB costs about what a call costs. */
const MIN_GAP_BYTES = 16_384

/** A read buffer larger than this is not kept for the next chain. */
const KEPT_BYTES = 16 * 1024 * 1024

/** Byte ranges in a file, in ascending order, as two parallel lists. */
export interface Ranges {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** A data file until close(); the file is opened by the first read. */
export class DataFile {
  readonly #path: string
  #fd: number | undefined
  #sizeBytes = 0
  #closed = false
  // Plain arrays all over, no Buffers: code that meets both kinds is compiled twice.
  // Made by the first read: many files are opened only to be appended to.
  #window = new Uint8Array(0)
  #windowStart = 0
  #windowEnd = 0
  #arena: Uint8Array = new Uint8Array(0)

  constructor(path: string) {
    this.#path = path
  }

  /** Bytes start..end as a view that is valid until the next read. Throws `corrupt` past the end. */
  read(start: number, end: number): Uint8Array {
    if (start < this.#windowStart || end > this.#windowEnd) {
      const fd = this.#open(start, end)
      if (end - start > WINDOW_BYTES) return this.#readArena(fd, start, end)
      this.#fillWindow(fd, start, end)
    }
    return this.#window.subarray(start - this.#windowStart, end - this.#windowStart)
  }

  /** Each range as a view that is valid until the next read. */
  readRanges(ranges: Ranges): Uint8Array[] {
    const { starts, ends } = ranges
    const first = starts[0] ?? 0
    const last = ends.at(-1) ?? 0
    if (last - first <= WINDOW_BYTES) {
      const all = this.read(first, last)
      return starts.map((start, i) => all.subarray(start - first, (ends[i] ?? start) - first))
    }
    return this.#readSlices(this.#open(first, last), ranges)
  }

  /** Closes the file until the next read from it. */
  closeFile(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /** Forgets what was read and closes the file until the next read. */
  release(): void {
    this.#windowStart = 0
    this.#windowEnd = 0
    this.#arena = new Uint8Array(0)
    this.closeFile()
  }

  /** Closes the file for good; the second call does nothing. */
  close(): void {
    this.#closed = true
    this.release()
  }

  /** The descriptor, once it is sure that start..end lies inside the file. */
  #open(start: number, end: number): number {
    if (this.#closed) throw new RevlogError('closed', `${this.#path}: used after close()`)
    this.#fd ??= openData(this.#path)
    if (end > this.#sizeBytes) this.#sizeBytes = fstatSync(this.#fd).size
    if (start < 0 || end < start || end > this.#sizeBytes) {
      throw new RevlogError(
        'corrupt',
        `${this.#path}: bytes ${start}..${end} are wanted of a file of ${this.#sizeBytes}; run \`hg verify\` on the repository`,
      )
    }
    return this.#fd
  }

  #fillWindow(fd: number, start: number, end: number): void {
    const alignedStart = Math.floor(start / WINDOW_BYTES) * WINDOW_BYTES
    const alignedEnd = Math.ceil(end / WINDOW_BYTES) * WINDOW_BYTES
    const length = Math.min(alignedEnd, this.#sizeBytes) - alignedStart
    this.#windowEnd = 0
    if (this.#window.length === 0) this.#window = new Uint8Array(2 * WINDOW_BYTES)
    this.#readFully(fd, this.#window.subarray(0, length), alignedStart)
    this.#windowStart = alignedStart
    this.#windowEnd = alignedStart + length
  }

  #readArena(fd: number, start: number, end: number): Uint8Array {
    const target = this.#reserve(end - start).subarray(0, end - start)
    this.#readFully(fd, target, start)
    return target
  }

  #readSlices(fd: number, { starts, ends }: Ranges): Uint8Array[] {
    const slices = sliceRanges({ starts, ends })
    const total = slices.reduce((sum, slice) => sum + slice.end - slice.start, 0)
    const arena = this.#reserve(total)
    const views: Uint8Array[] = []
    let filled = 0
    for (const slice of slices) {
      const target = arena.subarray(filled, filled + slice.end - slice.start)
      this.#readFully(fd, target, slice.start)
      for (let i = slice.first; i <= slice.last; i++) {
        const start = (starts[i] ?? 0) - slice.start
        views.push(target.subarray(start, (ends[i] ?? 0) - slice.start))
      }
      filled += target.length
    }
    return views
  }

  #reserve(bytes: number): Uint8Array {
    if (bytes > KEPT_BYTES) return new Uint8Array(bytes)
    if (this.#arena.length < bytes) this.#arena = new Uint8Array(bytes + (bytes >>> 1))
    return this.#arena
  }

  #readFully(fd: number, target: Uint8Array, position: number): void {
    let filled = 0
    while (filled < target.length) {
      const count = this.#readSome(fd, target.subarray(filled), position + filled)
      if (count === 0) throw new RevlogError('corrupt', `${this.#path}: shrank while it was read`)
      filled += count
    }
  }

  #readSome(fd: number, target: Uint8Array, position: number): number {
    try {
      return readSync(fd, target, 0, target.length, position)
    } catch (error) {
      throw systemError(this.#path, error)
    }
  }
}

/** Ranges first..last, close enough together to be read as start..end. */
export interface Slice {
  readonly start: number
  readonly end: number
  readonly first: number
  readonly last: number
}

/** Ranges put together to few reads that leave big gaps out. */
export function sliceRanges({ starts, ends }: Ranges): Slice[] {
  const slices: Slice[] = []
  let first = 0
  for (let i = 0; i < starts.length; i++) {
    const end = ends[i] ?? 0
    const next = starts[i + 1]
    if (next !== undefined && next - end < MIN_GAP_BYTES) continue
    slices.push({ start: starts[first] ?? 0, end, first, last: i })
    first = i + 1
  }
  return slices
}

function openData(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw systemError(path, error)
  }
}

function systemError(path: string, cause: unknown): RevlogError {
  return new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
}
