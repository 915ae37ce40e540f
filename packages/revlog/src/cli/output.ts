/**
 * Where the commands print: standard output in few large writes, standard error at once. It writes
 * to descriptors, not to Node's streams, whose set-up costs start-up time.
 */
import { writeSync } from 'node:fs'
import { codeOf, RevlogError, reasonOf } from '../errors.ts'
import { type ByteString, bytesOf } from '../format/byte-string.ts'
import type { CliEnvironment } from './local-encoding.ts'

/** What a command sees of the world outside. */
export interface CliIo {
  readonly cwd: string
  readonly env: CliEnvironment
  /** Writes to standard output. Throws an error with code EPIPE when nobody reads any more. */
  readonly writeOut: (bytes: Uint8Array) => void
  readonly writeError: (text: string) => void
  /** Seconds on a clock that only goes forward. */
  readonly clockSeconds: () => number
}

/** Output is collected up to this many bytes. */
const FLUSH_BYTES = 262_144

/** Collects byte strings for standard output. */
export interface Output {
  write(text: ByteString): void
  /** Bytes as they are, after what was written before. */
  writeBytes(bytes: Uint8Array): void
  flush(): void
}

/**
 * A collector over the standard output of `io`. What cannot be written, because the disk is full,
 * throws `system`; that nobody reads any more stays the error with code EPIPE.
 */
export function openOutput(io: CliIo): Output {
  let pending = ''
  const output: Output = {
    write(text) {
      pending += text
      if (pending.length >= FLUSH_BYTES) output.flush()
    },
    writeBytes(bytes) {
      output.flush()
      if (bytes.length > 0) writeOut(io, bytes)
    },
    flush() {
      if (pending === '') return
      const bytes = bytesOf(pending)
      pending = ''
      writeOut(io, bytes)
    },
  }
  return output
}

function writeOut(io: CliIo, bytes: Uint8Array): void {
  try {
    io.writeOut(bytes)
  } catch (error) {
    if (codeOf(error) === 'EPIPE') throw error
    throw new RevlogError('system', `standard output: ${reasonOf(error)}`, { cause: error })
  }
}

/** How long to wait before trying again to write to a full pipe that does not block. */
const RETRY_MILLIS = 1

/** Writes everything to a descriptor, also one that somebody made non-blocking. */
export function writeFully(fd: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written)
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MILLIS)
    }
  }
}
