/**
 * zlib streams (RFC 1950) piece by piece through the system's libz, both ways, loaded like its
 * one-call neighbour zlib.ts so that what is written has the bytes that Mercurial writes.
 */
import { loadKoffi } from './load-koffi.ts'
import { allocateNative } from './native-memory.ts'
import { STREAM_INPUT_BYTES, STREAM_OUTPUT_BYTES, type StreamCodec } from './stream-codec.ts'

/** struct z_stream_s of zlib.h where pointers and `long` have 64 bits. */
const Z_STREAM = { bytes: 112, nextIn: 0, availIn: 8, nextOut: 24, availOut: 32 } as const

/** zlib.h. */
const Z_OK = 0
const Z_STREAM_END = 1
const Z_BUF_ERROR = -5
const Z_NO_FLUSH = 0
const Z_FINISH = 4

/** The level that Mercurial's default stands for. */
const LEVEL = 6

/** The library checks only the first character and the struct's size. */
const VERSION = '1'

type Step = (stream: bigint, flush: number) => number
type End = (stream: bigint) => number

/** A decompressor for one zlib stream. Throws when libz cannot be called. */
export function openInflate(): StreamCodec {
  const library = loadKoffi().load('libz.so.1', { deep: true })
  const init: (stream: bigint, version: string, bytes: number) => number = library.func(
    'int inflateInit_(void *stream, const char *version, int size)',
  )
  const step: Step = library.func('int inflate(void *stream, int flush)')
  const end: End = library.func('int inflateEnd(void *stream)')
  return openStream({ init: (stream) => init(stream, VERSION, Z_STREAM.bytes), step, end })
}

/** A compressor for one zlib stream. Throws when libz cannot be called. */
export function openDeflate(): StreamCodec {
  const library = loadKoffi().load('libz.so.1', { deep: true })
  const init: (stream: bigint, level: number, version: string, bytes: number) => number =
    library.func('int deflateInit_(void *stream, int level, const char *version, int size)')
  const step: Step = library.func('int deflate(void *stream, int flush)')
  const end: End = library.func('int deflateEnd(void *stream)')
  return openStream({ init: (stream) => init(stream, LEVEL, VERSION, Z_STREAM.bytes), step, end })
}

interface ZlibCalls {
  readonly init: (stream: bigint) => number
  readonly step: Step
  readonly end: End
}

function openStream({ init, step, end }: ZlibCalls): StreamCodec {
  const state = allocateNative(Z_STREAM.bytes)
  const input = allocateNative(STREAM_INPUT_BYTES)
  const output = allocateNative(STREAM_OUTPUT_BYTES)
  const code = init(state.address)
  if (code !== Z_OK) throw new Error(`zlib could not start: ${code}`)
  let open = true
  return {
    input: input.bytes,
    output: output.bytes,
    step(start, stop, finish) {
      const { view, address } = state
      view.setBigUint64(Z_STREAM.nextIn, input.address + BigInt(start), true)
      view.setUint32(Z_STREAM.availIn, stop - start, true)
      view.setBigUint64(Z_STREAM.nextOut, output.address, true)
      view.setUint32(Z_STREAM.availOut, STREAM_OUTPUT_BYTES, true)
      const status = step(address, finish ? Z_FINISH : Z_NO_FLUSH)
      if (status !== Z_OK && status !== Z_STREAM_END && status !== Z_BUF_ERROR) {
        throw new Error(`zlib gave ${status}`)
      }
      return {
        consumed: stop - start - view.getUint32(Z_STREAM.availIn, true),
        produced: STREAM_OUTPUT_BYTES - view.getUint32(Z_STREAM.availOut, true),
        done: status === Z_STREAM_END,
      }
    },
    close() {
      if (!open) return
      open = false
      end(state.address)
      for (const memory of [state, input, output]) memory.release()
    },
  }
}
