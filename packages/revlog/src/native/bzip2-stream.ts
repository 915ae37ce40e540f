/**
 * bzip2 streams, reading only, piece by piece through libbz2, which every Debian has because dpkg
 * needs it. Node has no bzip2 of its own.
 */
import { RevlogError, reasonOf } from '../errors.ts'
import { type Koffi, loadKoffi } from './load-koffi.ts'
import { allocateNative } from './native-memory.ts'
import { STREAM_INPUT_BYTES, STREAM_OUTPUT_BYTES, type StreamCodec } from './stream-codec.ts'

/** struct bz_stream of bzlib.h where pointers have 64 bits. */
const BZ_STREAM = { bytes: 80, nextIn: 0, availIn: 8, nextOut: 24, availOut: 32 } as const

/** bzlib.h. */
const BZ_OK = 0
const BZ_STREAM_END = 4

/** A decompressor for one bzip2 stream. Throws `no-bzip2` when libbz2 cannot be called. */
export function openBunzip(): StreamCodec {
  const library = loadBzip2()
  const init: (stream: bigint, verbosity: number, small: number) => number = library.func(
    'int BZ2_bzDecompressInit(void *stream, int verbosity, int small)',
  )
  const step: (stream: bigint) => number = library.func('int BZ2_bzDecompress(void *stream)')
  const end: (stream: bigint) => number = library.func('int BZ2_bzDecompressEnd(void *stream)')
  const state = allocateNative(BZ_STREAM.bytes)
  const input = allocateNative(STREAM_INPUT_BYTES)
  const output = allocateNative(STREAM_OUTPUT_BYTES)
  const code = init(state.address, 0, 0)
  if (code !== BZ_OK) throw new Error(`bzip2 could not start: ${code}`)
  let open = true
  return {
    input: input.bytes,
    output: output.bytes,
    step(start, stop) {
      const { view, address } = state
      view.setBigUint64(BZ_STREAM.nextIn, input.address + BigInt(start), true)
      view.setUint32(BZ_STREAM.availIn, stop - start, true)
      view.setBigUint64(BZ_STREAM.nextOut, output.address, true)
      view.setUint32(BZ_STREAM.availOut, STREAM_OUTPUT_BYTES, true)
      const status = step(address)
      if (status !== BZ_OK && status !== BZ_STREAM_END) throw new Error(`bzip2 gave ${status}`)
      return {
        consumed: stop - start - view.getUint32(BZ_STREAM.availIn, true),
        produced: STREAM_OUTPUT_BYTES - view.getUint32(BZ_STREAM.availOut, true),
        done: status === BZ_STREAM_END,
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

function loadBzip2(): ReturnType<Koffi['load']> {
  try {
    return loadKoffi().load('libbz2.so.1.0')
  } catch (cause) {
    throw new RevlogError(
      'no-bzip2',
      `this bundle is compressed with bzip2, and libbz2 cannot be loaded (${reasonOf(cause).split('\n', 1)[0]}): install the package libbz2-1.0`,
      { cause },
    )
  }
}
