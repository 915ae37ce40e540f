/**
 * zlib, through the system's libz when it can be called and through Node's own otherwise.
 *
 * libz is loaded with RTLD_DEEPBIND (`deep`): without it the symbols of Node's built-in Chromium
 * zlib interpose and the compressed bytes differ from those that Mercurial writes. Either way the
 * streams are valid and readable by everybody. Which chunk is compressed is decided elsewhere.
 */
import { endianness } from 'node:os'
import { deflateSync, inflateSync } from 'node:zlib'
import { growingScratch } from './growing-scratch.ts'
import { loadKoffi } from './load-koffi.ts'

/**
 * What this package needs of zlib. Both calls give views that are valid until the next call, and throw
 * a plain Error on what zlib refuses.
 */
export interface Zlib {
  /** `libz` gives the bytes that Mercurial writes; `node` gives valid but different ones. */
  readonly provider: 'libz' | 'node'
  /** A zlib stream (RFC 1950) at level 6. */
  compress(plain: Uint8Array): Uint8Array
  /** The plain bytes; at most `limitBytes`, with `hintBytes` (0: unknown) tried first. */
  decompress(stream: Uint8Array, hintBytes: number, limitBytes: number): Uint8Array
}

/** zlib.h: return codes and the level that Mercurial's default stands for. */
const Z_OK = 0
const Z_BUF_ERROR = -5
const LEVEL = 6

type Compress2 = (
  dest: Uint8Array,
  destLength: BigUint64Array,
  source: Uint8Array,
  sourceLength: number,
  level: number,
) => number
type Uncompress = (
  dest: Uint8Array,
  destLength: BigUint64Array,
  source: Uint8Array,
  sourceLength: number,
) => number

/** zlib by Node itself. */
export const nodeZlib: Zlib = {
  provider: 'node',
  compress: (plain) => deflateSync(plain, { level: LEVEL }),
  decompress: (stream, _hintBytes, limitBytes) =>
    inflateSync(stream, { maxOutputLength: Math.max(1, limitBytes) }),
}

let chosen: Zlib | undefined

/** The best zlib of this machine, chosen on the first call. */
export function loadZlib(): Zlib {
  chosen ??= tryLibz() ?? nodeZlib
  return chosen
}

/** libz through koffi; nothing when either is missing or `unsigned long` is not 64 bits wide. */
function tryLibz(): Zlib | undefined {
  if (endianness() !== 'LE' || !['x64', 'arm64'].includes(process.arch)) return undefined
  try {
    const library = loadKoffi().load('libz.so.1', { deep: true })
    const compress2: Compress2 = library.func(
      'int compress2(void *dest, void *destLen, const void *source, unsigned long sourceLen, int level)',
    )
    const uncompress: Uncompress = library.func(
      'int uncompress(void *dest, void *destLen, const void *source, unsigned long sourceLen)',
    )
    return bindLibz(compress2, uncompress)
  } catch {
    // Not an error: Node's own zlib does the same work, and `provider` tells which one it is.
    return undefined
  }
}

function bindLibz(compress2: Compress2, uncompress: Uncompress): Zlib {
  // Two, so that what was decompressed can be compressed again.
  const packed = growingScratch()
  const plainBytes = growingScratch()
  const length = new BigUint64Array(1)
  return {
    provider: 'libz',
    compress(plain) {
      // zlib's compressBound, rounded up.
      const scratch = packed(plain.length + (plain.length >>> 8) + 64)
      length[0] = BigInt(scratch.length)
      const code = compress2(scratch, length, plain, plain.length, LEVEL)
      if (code !== Z_OK) throw new Error(`zlib compress2 gave ${code}`)
      return scratch.subarray(0, Number(length[0]))
    },
    decompress(stream, hintBytes, limitBytes) {
      let scratch = plainBytes(Math.min(hintBytes, limitBytes))
      for (;;) {
        const room = Math.min(scratch.length, Math.max(1, limitBytes))
        length[0] = BigInt(room)
        const code = uncompress(scratch, length, stream, stream.length)
        if (code === Z_OK) return scratch.subarray(0, Number(length[0]))
        if (code !== Z_BUF_ERROR || room >= limitBytes) {
          throw new Error(`zlib uncompress gave ${code}`)
        }
        scratch = plainBytes(Math.min(limitBytes, scratch.length * 4))
      }
    },
  }
}
