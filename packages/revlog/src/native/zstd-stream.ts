/**
 * Zstandard streams piece by piece through the system's libzstd, both ways. Reading bounds the memory
 * that a frame may ask for by the library's own limit of the window (128 MiB).
 */
import { loadKoffi } from './load-koffi.ts'
import { allocateNative, type NativeMemory } from './native-memory.ts'
import { STREAM_INPUT_BYTES, STREAM_OUTPUT_BYTES, type StreamCodec } from './stream-codec.ts'

/** ZSTD_inBuffer and ZSTD_outBuffer of zstd.h, one after the other. */
const BUFFERS = { bytes: 48, in: 0, out: 24, size: 8, position: 16 } as const

/** ZSTD_EndDirective of zstd.h. */
const ZSTD_E_CONTINUE = 0
const ZSTD_E_END = 2

/** ZSTD_cParameter of zstd.h. */
const ZSTD_C_COMPRESSION_LEVEL = 100

/** The level of Mercurial's bundles. */
const LEVEL = 3

type Context = object
type Code = number | bigint

/** A decompressor for one frame. Throws when libzstd cannot be called. */
export function openZstdDecoder(): StreamCodec {
  const library = loadKoffi().load('libzstd.so.1')
  const create: () => Context = library.func('void *ZSTD_createDStream()')
  const free: (context: Context) => Code = library.func('size_t ZSTD_freeDStream(void *)')
  const step: (context: Context, output: bigint, input: bigint) => Code = library.func(
    'size_t ZSTD_decompressStream(void *context, void *output, void *input)',
  )
  const context = create()
  return openStream({
    run: (buffers) =>
      step(context, buffers.address + BigInt(BUFFERS.out), buffers.address + BigInt(BUFFERS.in)),
    isDone: (code) => code === 0,
    free: () => free(context),
  })
}

/** A compressor for one frame. Throws when libzstd cannot be called. */
export function openZstdEncoder(): StreamCodec {
  const library = loadKoffi().load('libzstd.so.1')
  const create: () => Context = library.func('void *ZSTD_createCCtx()')
  const free: (context: Context) => Code = library.func('size_t ZSTD_freeCCtx(void *)')
  const set: (context: Context, parameter: number, value: number) => Code = library.func(
    'size_t ZSTD_CCtx_setParameter(void *context, int parameter, int value)',
  )
  const step: (context: Context, output: bigint, input: bigint, end: number) => Code = library.func(
    'size_t ZSTD_compressStream2(void *context, void *output, void *input, int end)',
  )
  const context = create()
  set(context, ZSTD_C_COMPRESSION_LEVEL, LEVEL)
  return openStream({
    run: (buffers, finish) =>
      step(
        context,
        buffers.address + BigInt(BUFFERS.out),
        buffers.address + BigInt(BUFFERS.in),
        finish ? ZSTD_E_END : ZSTD_E_CONTINUE,
      ),
    isDone: (code, finish) => finish && code === 0,
    free: () => free(context),
  })
}

interface ZstdCalls {
  readonly run: (buffers: NativeMemory, finish: boolean) => Code
  readonly isDone: (code: number, finish: boolean) => boolean
  readonly free: () => void
}

function openStream({ run, isDone, free }: ZstdCalls): StreamCodec {
  const library = loadKoffi().load('libzstd.so.1')
  const isError: (code: Code) => number = library.func('unsigned int ZSTD_isError(size_t code)')
  const errorName: (code: Code) => string = library.func('const char *ZSTD_getErrorName(size_t)')
  const buffers = allocateNative(BUFFERS.bytes)
  const input = allocateNative(STREAM_INPUT_BYTES)
  const output = allocateNative(STREAM_OUTPUT_BYTES)
  const point = (at: number, address: bigint, size: number): void => {
    buffers.view.setBigUint64(at, address, true)
    buffers.view.setBigUint64(at + BUFFERS.size, BigInt(size), true)
    buffers.view.setBigUint64(at + BUFFERS.position, 0n, true)
  }
  const positionOf = (at: number): number =>
    Number(buffers.view.getBigUint64(at + BUFFERS.position, true))
  let open = true
  return {
    input: input.bytes,
    output: output.bytes,
    step(start, end, finish) {
      point(BUFFERS.in, input.address + BigInt(start), end - start)
      point(BUFFERS.out, output.address, STREAM_OUTPUT_BYTES)
      const code = run(buffers, finish)
      if (typeof code === 'bigint' || isError(code) !== 0)
        throw new Error(`zstd: ${errorName(code)}`)
      const consumed = positionOf(BUFFERS.in)
      return { consumed, produced: positionOf(BUFFERS.out), done: isDone(code, finish) }
    },
    close() {
      if (!open) return
      open = false
      free()
      for (const memory of [buffers, input, output]) memory.release()
    },
  }
}
