/**
 * Plain bytes to the chunk that is stored, with the choices that Mercurial makes: tiny data is not
 * tried, a result that is not shorter is dropped, raw data is marked `u` unless its first byte is
 * NUL (which marks itself).
 */
import { RevlogError } from '../errors.ts'
import { loadZlib } from '../native/zlib.ts'
import { loadZstd } from '../native/zstd.ts'

/** How chunks of a revlog are compressed. */
export type CompressionName = 'zlib' | 'zstd' | 'none'

/** Shorter data is stored raw: Mercurial does not try either (its writer's behaviour). */
const MIN_ZLIB_BYTES = 44
const MIN_ZSTD_BYTES = 50

const NUL = 0x00
const RAW = 0x75

/**
 * The chunk to store for `plain`. Empty stays empty; a raw chunk that needs no mark is `plain`
 * itself. Throws RevlogError `native-missing` where nothing here can write Zstandard.
 */
export function compressChunk(plain: Uint8Array, compression: CompressionName): Uint8Array {
  const packed = packChunk(plain, compression)
  if (packed !== undefined) return packed.slice()
  if (plain.length === 0 || plain[0] === NUL) return plain
  const raw = new Uint8Array(plain.length + 1)
  raw[0] = RAW
  raw.set(plain, 1)
  return raw
}

/**
 * The compressed form alone, as a view that is valid until the next call; nothing where the plain
 * bytes are to be stored. Throws as compressChunk().
 */
export function packChunk(plain: Uint8Array, compression: CompressionName): Uint8Array | undefined {
  const packed = pack(plain, compression)
  return packed !== undefined && packed.length < plain.length ? packed : undefined
}

function pack(plain: Uint8Array, compression: CompressionName): Uint8Array | undefined {
  if (compression === 'zlib' && plain.length >= MIN_ZLIB_BYTES) return loadZlib().compress(plain)
  if (compression !== 'zstd' || plain.length < MIN_ZSTD_BYTES) return undefined
  const { compress } = loadZstd()
  if (compress === undefined) {
    throw new RevlogError(
      'native-missing',
      'nothing here can write Zstandard: install libzstd (libzstd.so.1), run Node 22.15 or later, or use zlib',
    )
  }
  return compress(plain)
}
