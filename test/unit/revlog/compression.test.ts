import { type CompressionName, compressChunk, decompressChunk } from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeZlib } from '../../../packages/revlog/src/native/zlib.ts'
import { loadZstd, portableZstd } from '../../../packages/revlog/src/native/zstd.ts'

const names: readonly CompressionName[] = ['zlib', 'zstd', 'none']
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ maxLength: 40 }).map((word) => Buffer.from(word.repeat(20))),
)
const long = Buffer.from('the same line again and again\n'.repeat(5_000))

describe('chunks', () => {
  it.each(names)('what %s stores reads back, with or without a size hint', (name) => {
    fc.assert(
      fc.property(bytes, fc.constantFrom(0, 1, 1_000_000_000), (plain, expectedBytes) => {
        const chunk = compressChunk(plain, name)
        expect(Buffer.compare(decompressChunk(chunk, { expectedBytes }), plain)).toBe(0)
        expect(chunk.length).toBeLessThanOrEqual(plain.length + 1)
      }),
    )
    expect(Buffer.compare(decompressChunk(compressChunk(long, name)), long)).toBe(0)
  })

  it('data that is too small to try is stored raw', () => {
    expect(compressChunk(Buffer.alloc(43, 'a'), 'zlib')[0]).toBe(0x75)
    expect(compressChunk(Buffer.alloc(44, 'a'), 'zlib')[0]).toBe(0x78)
    expect(compressChunk(Buffer.alloc(49, 'a'), 'zstd')[0]).toBe(0x75)
    expect(compressChunk(Buffer.alloc(50, 'a'), 'zstd')[0]).toBe(0x28)
  })

  it('raw data that starts with NUL needs no mark, and empty data no byte', () => {
    const delta = Uint8Array.of(0, 0, 0, 1)
    expect(compressChunk(delta, 'zlib')).toEqual(delta)
    expect(decompressChunk(delta)).toEqual(delta)
    expect(compressChunk(new Uint8Array(0), 'zstd')).toHaveLength(0)
    expect(decompressChunk(new Uint8Array(0))).toHaveLength(0)
  })
})

describe('damaged chunks', () => {
  it.each(['zlib', 'zstd'] as const)(
    'a cut or changed %s chunk is an error or other bytes',
    (name) => {
      const chunk = compressChunk(long, name)
      for (const cut of [1, 4, 6, chunk.length - 1]) {
        expect(() => decompressChunk(chunk.subarray(0, cut))).toThrow(
          expect.objectContaining({ code: 'corrupt' }),
        )
      }
      fc.assert(
        fc.property(fc.nat(chunk.length - 2), fc.integer({ min: 1, max: 255 }), (at, flip) => {
          const damaged = Uint8Array.from(chunk)
          damaged[at + 1] = (damaged[at + 1] ?? 0) ^ flip
          try {
            decompressChunk(damaged)
          } catch (error) {
            expect(error).toMatchObject({ code: 'corrupt' })
          }
        }),
      )
    },
  )

  it('a first byte of no known compression is named', () => {
    expect(() => decompressChunk(Buffer.from('Zdata'))).toThrow(/0x5a/)
  })

  it('a frame that declares terabytes is refused before memory is taken', () => {
    const frame = Buffer.from('28b52ffde0000000000001000001000000', 'hex')
    expect(() => decompressChunk(frame)).toThrow(/more than it can hold/)
  })
})

describe('a limit', () => {
  it.each(names)(
    'is enough when it is the exact size, and %s data beyond it is corrupt',
    (name) => {
      const chunk = compressChunk(long, name)
      expect(decompressChunk(chunk, { maxBytes: long.length })).toHaveLength(long.length)
      const less = () => decompressChunk(chunk, { maxBytes: long.length - 1 })
      // What is stored raw costs nothing to hand out.
      if (name === 'none') expect(less()).toHaveLength(long.length)
      else expect(less).toThrow(expect.objectContaining({ code: 'corrupt' }))
    },
  )
})

describe('without native libraries', () => {
  it('Node and fzstd read what libz and libzstd wrote, and the reverse', () => {
    const stream = compressChunk(long, 'zlib')
    const room = long.length
    expect(Buffer.compare(nodeZlib.decompress(stream, 0, room), long)).toBe(0)
    expect(Buffer.compare(decompressChunk(nodeZlib.compress(long)), long)).toBe(0)
    const frame = compressChunk(long, 'zstd')
    expect(Buffer.compare(portableZstd.decompress(frame, room), long)).toBe(0)
    expect(Buffer.compare(loadZstd().decompress(frame, room), long)).toBe(0)
    const written = portableZstd.compress?.(long) ?? frame
    expect(Buffer.compare(decompressChunk(written), long)).toBe(0)
  })

  it('refuse to grow past the limit', () => {
    expect(() => nodeZlib.decompress(compressChunk(long, 'zlib'), 0, 100)).toThrow()
    expect(() => portableZstd.decompress(compressChunk(long, 'zstd'), 100)).toThrow()
  })
})
