/**
 * Whole streams through a codec: a compressed ByteInput read as a plain one, and pieces of bytes
 * compressed on their way out, both with memory that does not grow. Where the native libraries cannot
 * be called the whole stream is taken at once, with a bound, and the caller is told.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import { Decompress } from 'fzstd'
import { type ByteInput, bytesInput, pulledInput, truncatedError } from '../bytes/byte-input.ts'
import { RevlogError, reasonOf } from '../errors.ts'
import { openBunzip } from '../native/bzip2-stream.ts'
import type { StreamCodec } from '../native/stream-codec.ts'
import { openDeflate, openInflate } from '../native/zlib-stream.ts'
import { openZstdDecoder, openZstdEncoder } from '../native/zstd-stream.ts'

/** How a stream can be compressed. */
export type StreamCompression = 'none' | 'gzip' | 'bzip2' | 'zstd'

/** Told when a stream has to be taken into memory whole, and why. */
export type OnWholeStream = (reason: string) => void

/** Without native libraries a stream must not be longer than this, plain or compressed. */
const MAX_WHOLE_BYTES = 1_073_741_824

const NO_BYTES = new Uint8Array(0)

const DECODERS = { gzip: openInflate, bzip2: openBunzip, zstd: openZstdDecoder } as const

/**
 * The plain bytes of a compressed input. Reading them throws `corrupt` on damage, `truncated` when
 * the input ends inside the stream, `no-bzip2` without libbz2.
 */
export function decompressedInput(
  source: ByteInput,
  compression: StreamCompression,
  onWholeStream: OnWholeStream,
): ByteInput {
  if (compression === 'none') return source
  let codec: StreamCodec
  try {
    codec = DECODERS[compression]()
  } catch (cause) {
    if (cause instanceof RevlogError || compression === 'bzip2') throw cause
    onWholeStream(`the native library for ${compression} is missing (${firstLineOf(cause)})`)
    return wholeInput(source, compression)
  }
  return pulledInput(source.name, pullDecoded(source, codec))
}

function pullDecoded(source: ByteInput, codec: StreamCodec): () => Uint8Array {
  let start = 0
  let end = 0
  let open = true
  let starved = false
  const finish = (): Uint8Array => {
    open = false
    codec.close()
    return NO_BYTES
  }
  return () => {
    while (open) {
      if (start === end) {
        const more = source.readSome(codec.input.length)
        codec.input.set(more)
        start = 0
        end = more.length
        starved = end === 0
      }
      const { consumed, produced, done } = guardedStep({ source, codec, start, end })
      start += consumed
      const piece = codec.output.slice(0, produced)
      if (done) finish()
      if (produced > 0) return piece
      if (!done && starved) {
        finish()
        throw truncatedError(source.name, source.position, { wanted: 1, got: 0 })
      }
    }
    return NO_BYTES
  }
}

interface GuardedStep {
  readonly source: ByteInput
  readonly codec: StreamCodec
  readonly start: number
  readonly end: number
}

function guardedStep({ source, codec, start, end }: GuardedStep) {
  try {
    return codec.step(start, end, false)
  } catch (cause) {
    codec.close()
    throw new RevlogError(
      'corrupt',
      `${source.name}: the compressed stream is damaged before byte ${source.position}: ${reasonOf(cause)}`,
      { cause },
    )
  }
}

function wholeInput(source: ByteInput, compression: 'gzip' | 'zstd'): ByteInput {
  const stream = readAll(source)
  try {
    const plain =
      compression === 'gzip'
        ? inflateSync(stream, { maxOutputLength: MAX_WHOLE_BYTES })
        : decodeZstd(stream)
    return bytesInput(plain, source.name)
  } catch (cause) {
    const message = `${source.name}: the compressed stream is damaged: ${reasonOf(cause)}`
    throw new RevlogError('corrupt', message, { cause })
  }
}

/** The whole of a frame, piece by piece, so that one that unpacks to too much is stopped in time. */
function decodeZstd(stream: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = []
  let length = 0
  const decoder = new Decompress((piece) => {
    length += piece.length
    if (length > MAX_WHOLE_BYTES)
      throw new Error(`it unpacks to more than ${MAX_WHOLE_BYTES} bytes`)
    pieces.push(piece.slice())
  })
  for (let at = 0; at < stream.length; at += FEED_BYTES) {
    decoder.push(stream.subarray(at, at + FEED_BYTES), at + FEED_BYTES >= stream.length)
  }
  return Buffer.concat(pieces)
}

/** The decoder is given this much at a time. */
const FEED_BYTES = 65_536

/** Node explains a missing module over several lines. */
function firstLineOf(cause: unknown): string {
  return reasonOf(cause).split('\n', 1)[0] ?? ''
}

function readAll(source: ByteInput): Uint8Array {
  const pieces: Uint8Array[] = []
  let length = 0
  for (;;) {
    const piece = source.readSome(MAX_WHOLE_BYTES)
    if (piece.length === 0) return Buffer.concat(pieces)
    pieces.push(piece)
    length += piece.length
    if (length > MAX_WHOLE_BYTES) {
      const message = `${source.name}: more than ${MAX_WHOLE_BYTES} bytes: install libz and libzstd to read it piece by piece`
      throw new RevlogError('too-large', message)
    }
  }
}

/** The pieces compressed as one stream. Throws `native-missing` where nothing here can write it. */
export function* compressPieces(
  pieces: Iterable<Uint8Array>,
  compression: Exclude<StreamCompression, 'bzip2'>,
): Iterable<Uint8Array> {
  if (compression === 'none') yield* pieces
  else if (compression === 'gzip') yield* deflatedPieces(pieces)
  else yield* encodedPieces(pieces, openZstdEncoderOrThrow())
}

function* deflatedPieces(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let codec: StreamCodec | undefined
  try {
    codec = openDeflate()
  } catch {
    // Node's own zlib writes the same format, from the whole stream.
  }
  if (codec === undefined) yield deflateSync(Buffer.concat([...pieces]))
  else yield* encodedPieces(pieces, codec)
}

function openZstdEncoderOrThrow(): StreamCodec {
  try {
    return openZstdEncoder()
  } catch (cause) {
    throw new RevlogError(
      'native-missing',
      `nothing here can write a Zstandard stream (${firstLineOf(cause)}): install libzstd1 or choose gzip`,
      { cause },
    )
  }
}

function* encodedPieces(pieces: Iterable<Uint8Array>, codec: StreamCodec): Iterable<Uint8Array> {
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; at += codec.input.length) {
        const part = piece.subarray(at, at + codec.input.length)
        codec.input.set(part)
        for (let start = 0; start < part.length; ) {
          const { consumed, produced } = codec.step(start, part.length, false)
          start += consumed
          if (produced > 0) yield codec.output.slice(0, produced)
        }
      }
    }
    for (let done = false; !done; ) {
      const step = codec.step(0, 0, true)
      done = step.done
      if (step.produced > 0) yield codec.output.slice(0, step.produced)
    }
  } finally {
    codec.close()
  }
}
