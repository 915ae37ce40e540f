/** Requirements, store names and the fncache. That names are those of hg is proved in test/system. */
import {
  byteString,
  bytesOf,
  checkRequirements,
  decodeDirs,
  encodeDirs,
  encodeStorePath,
  KNOWN_REQUIREMENTS,
  parseFncache,
  parseRequires,
  RevlogError,
  serializeFncache,
  serializeRequires,
} from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const FULL = { fncache: true, dotencode: true }
const segment = fc
  .uint8Array({ minLength: 1, maxLength: 30 })
  .map((bytes) =>
    byteString(bytes.map((byte) => (byte === 0x2f || byte === 0 || byte === 10 ? 65 : byte))),
  )
const paths = fc
  .array(segment, { minLength: 1, maxLength: 8 })
  .map((segments) => `data/${segments.join('/')}.i`)

describe('store names', () => {
  test.each([
    ['data/Foo/aux/Bar.txt.i', 'data/_foo/au~78/_bar.txt.i'],
    ['data/.dot.i', 'data/~2edot.i'],
    ['data/ x/y .i', 'data/~20x/y .i'],
    ['data/a_b.i', 'data/a__b.i'],
    ['data/foo.i/bar.i', 'data/foo.i.hg/bar.i'],
    ['data/foo.d/.hg/x.i', 'data/foo.d.hg/~2ehg.hg/x.i'],
    ['data/com1.txt.i', 'data/co~6d1.txt.i'],
    ['data/com0.i', 'data/com0.i'],
    ['data/a:b?.i', 'data/a~3ab~3f.i'],
    ['data/\xc3\xa9.i', 'data/~c3~a9.i'],
    ['data/dir./x.i', 'data/dir~2e/x.i'],
  ])('%s is stored as %s', (plain, encoded) => {
    expect(encodeStorePath(plain, FULL)).toBe(encoded)
  })

  test('names are safe everywhere, at most 120 long unless short already, and never collide', () => {
    fc.assert(
      fc.property(fc.uniqueArray(paths, { maxLength: 20 }), (names) => {
        const encoded = names.map((name) => encodeStorePath(name, FULL))
        for (const name of encoded) {
          expect(name).toMatch(/^[\x20-\x7e]+$/)
          expect(name).not.toMatch(/[\\:*?"<>|A-Z]|\/[. ]|[. ]\/|\/(?:aux|con|nul|prn)[./]/)
          expect(name.length).toBeLessThanOrEqual(120)
        }
        expect(new Set(encoded).size).toBe(names.length)
      }),
    )
  })

  test('without dotencode a leading dot stays, without fncache a long name is not hashed', () => {
    expect(encodeStorePath('data/.x.i', { fncache: true, dotencode: false })).toBe('data/.x.i')
    const long = `data/${'x'.repeat(200)}.i`
    expect(encodeStorePath(long, { fncache: false, dotencode: false })).toBe(long)
    expect(encodeStorePath(long, FULL)).toMatch(/^dh\/x+[0-9a-f]{40}\.i$/)
    expect(encodeStorePath('data/aux.i', { fncache: false, dotencode: false })).toBe('data/aux.i')
  })

  test('index and data of a hashed name have hashes of their own', () => {
    const long = `data/${'x'.repeat(200)}`
    const [index, data] = [`${long}.i`, `${long}.d`].map((name) => encodeStorePath(name, FULL))
    expect(index?.slice(0, -2)).not.toBe(data?.slice(0, -2))
  })

  test('encoding directories can be undone', () => {
    const dirs = fc
      .array(fc.constantFrom('a', 'b.i', 'c.d', '.hg', 'x.hg', 'y.i.hg'), { minLength: 1 })
      .map((segments) => segments.join('/'))
    fc.assert(
      fc.property(dirs, (path) => {
        expect(decodeDirs(encodeDirs(path))).toBe(path)
      }),
    )
  })
})

describe('fncache', () => {
  test('every list of paths is read back as it was written', () => {
    fc.assert(
      fc.property(fc.array(paths), (names) => {
        expect(parseFncache(serializeFncache(names))).toEqual(names)
      }),
    )
  })

  test('a list that is cut short or has a gap is corrupt', () => {
    expect(codeOf(() => parseFncache(bytesOf('data/a.i\ndata/b')))).toBe('corrupt')
    expect(codeOf(() => parseFncache(bytesOf('data/a.i\n\n')))).toBe('corrupt')
  })
})

describe('requirements', () => {
  test('a file is read back as it was written, sorted', () => {
    const names = new Set(['store', 'fncache', 'revlogv1'])
    expect(serializeRequires(names)).toBe('fncache\nrevlogv1\nstore\n')
    expect(parseRequires(serializeRequires(names))).toEqual(names)
  })

  test('all known ones together are accepted', () => {
    expect(() => checkRequirements(KNOWN_REQUIREMENTS)).not.toThrow()
  })

  test('unknown ones are refused, each by name', () => {
    const names = new Set([...KNOWN_REQUIREMENTS, 'treemanifest', 'exp-revlogv2.2'])
    const check = () => checkRequirements(names)
    expect(codeOf(check)).toBe('unknown-requirement')
    expect(check).toThrow(/exp-revlogv2\.2, treemanifest/)
  })

  test('a layout older than the store is refused', () => {
    expect(codeOf(() => checkRequirements(new Set(['revlogv1'])))).toBe('unknown-requirement')
    expect(codeOf(() => checkRequirements(new Set()))).toBe('unknown-requirement')
  })
})

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof RevlogError) return error.code
    throw error
  }
  return 'nothing thrown'
}
