/**
 * Zstandard, through the system's libzstd with contexts that are reused (a fresh context costs
 * more than a typical chunk), and without it through fzstd to read and Node's own (22.15 and later)
 * to write. Which chunk is compressed, and the bounds on sizes, are decided elsewhere.
 */
import * as nodeZlib from 'node:zlib'
import { decompress as fzstdDecompress } from 'fzstd'
import { growingScratch } from './growing-scratch.ts'
import { loadKoffi } from './load-koffi.ts'

/**
 * What this package needs of Zstandard. The calls give views that are valid until the next call, and
 * throw a plain Error on what it refuses.
 */
export interface Zstd {
  /** `libzstd`, or `portable`: fzstd to read, Node to write. */
  readonly provider: 'libzstd' | 'portable'
  /** A frame at level 3 with its content size; nothing where none can write. */
  readonly compress: ((plain: Uint8Array) => Uint8Array) | undefined
  /** The plain bytes of one frame, at most `roomBytes`. */
  decompress(frame: Uint8Array, roomBytes: number): Uint8Array
}

/** The level that Mercurial writes with. */
const LEVEL = 3

/** A context of libzstd: a pointer that koffi keeps opaque. */
type Context = object
type CompressWith = (
  context: Context,
  dest: Uint8Array,
  destRoom: number,
  source: Uint8Array,
  sourceLength: number,
  level: number,
) => number | bigint
type DecompressWith = (
  context: Context,
  dest: Uint8Array,
  destRoom: number,
  source: Uint8Array,
  sourceLength: number,
) => number | bigint

interface LibzstdCalls {
  readonly compressContext: Context
  readonly decompressContext: Context
  readonly compressWith: CompressWith
  readonly decompressWith: DecompressWith
  readonly isError: (code: number | bigint) => number
  readonly errorName: (code: number | bigint) => string
}

let chosen: Zstd | undefined

/** The best Zstandard of this machine, chosen on the first call. */
export function loadZstd(): Zstd {
  chosen ??= tryLibzstd() ?? portableZstd
  return chosen
}

/** Zstandard without the system's library. */
export const portableZstd: Zstd = {
  provider: 'portable',
  compress: findNodeCompress(),
  decompress(frame, roomBytes) {
    const plain = fzstdDecompress(frame)
    if (plain.length > roomBytes) throw new Error('zstd frame is longer than it may be')
    return plain
  },
}

/** Node's own compressor where this Node has one; its default level is 3 too. */
function findNodeCompress(): ((plain: Uint8Array) => Uint8Array) | undefined {
  // Not in the types of the oldest Node that is supported, hence the look-up by name.
  const compress: unknown = Reflect.get(nodeZlib, 'zstdCompressSync')
  if (typeof compress !== 'function') return undefined
  return (plain) => {
    const frame: unknown = Reflect.apply(compress, undefined, [plain])
    if (frame instanceof Uint8Array) return frame
    throw new Error('zstdCompressSync gave no bytes')
  }
}

function tryLibzstd(): Zstd | undefined {
  try {
    const library = loadKoffi().load('libzstd.so.1')
    const createCompressContext: () => Context = library.func('void *ZSTD_createCCtx()')
    const createDecompressContext: () => Context = library.func('void *ZSTD_createDCtx()')
    return bindLibzstd({
      compressContext: createCompressContext(),
      decompressContext: createDecompressContext(),
      compressWith: library.func(
        'size_t ZSTD_compressCCtx(void *ctx, void *dst, size_t room, const void *src, size_t length, int level)',
      ),
      decompressWith: library.func(
        'size_t ZSTD_decompressDCtx(void *ctx, void *dst, size_t room, const void *src, size_t length)',
      ),
      isError: library.func('unsigned int ZSTD_isError(size_t code)'),
      errorName: library.func('const char *ZSTD_getErrorName(size_t code)'),
    })
  } catch {
    // Not an error: reading goes on in JavaScript, and writing says what is missing.
    return undefined
  }
}

function bindLibzstd(calls: LibzstdCalls): Zstd {
  // Two, so that what was decompressed can be compressed again.
  const packed = growingScratch()
  const plainBytes = growingScratch()
  const checked = (code: number | bigint): number => {
    if (typeof code === 'bigint' || calls.isError(code) !== 0) {
      throw new Error(`zstd: ${calls.errorName(code)}`)
    }
    return code
  }
  return {
    provider: 'libzstd',
    compress(plain) {
      // ZSTD_compressBound, rounded up.
      const scratch = packed(plain.length + (plain.length >>> 8) + 512)
      const { compressContext, compressWith } = calls
      const length = checked(
        compressWith(compressContext, scratch, scratch.length, plain, plain.length, LEVEL),
      )
      return scratch.subarray(0, length)
    },
    decompress(frame, roomBytes) {
      const scratch = plainBytes(roomBytes)
      const { decompressContext, decompressWith } = calls
      const length = checked(
        decompressWith(decompressContext, scratch, roomBytes, frame, frame.length),
      )
      return scratch.subarray(0, length)
    },
  }
}
