/** The text of manifests. */
import {
  byteString,
  bytesOf,
  findInManifest,
  type ManifestEntry,
  parseManifest,
  RevlogError,
  serializeManifest,
} from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const NODE = 'ec30b5ba0184ff3f83b0147d5b361d7fa276bec3'
const paths = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => byteString(bytes.map((byte) => (byte === 0 || byte === 10 ? 97 : byte))))
const entries = fc.uniqueArray(
  fc.record({
    path: paths,
    nodeHex: fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((node) => Buffer.from(node).toString('hex')),
    flag: fc.constantFrom('' as const, 'x' as const, 'l' as const),
  }),
  { selector: ({ path }) => path, maxLength: 30 },
)

describe('manifests', () => {
  test('every manifest is read back as it was written, sorted by bytes', () => {
    fc.assert(
      fc.property(entries, (files) => {
        const read = parseManifest(serializeManifest(files))
        expect(read).toEqual([...files].sort(byPath))
        const bytes = read.map(({ path }) => Buffer.from(path, 'latin1'))
        expect(bytes).toEqual([...bytes].sort(Buffer.compare))
      }),
    )
  })

  test('looking one path up gives what parsing all gives, for any path', () => {
    fc.assert(
      fc.property(entries, paths, (files, other) => {
        const text = serializeManifest(files)
        for (const path of [other, ...files.map((file) => file.path)]) {
          expect(findInManifest(text, path)).toEqual(files.find((file) => file.path === path))
        }
      }),
    )
  })

  test('the text is the one that Mercurial stores', () => {
    const text = `a\0${NODE}\nb c\0${NODE}x\nd/\xc3\xa9\0${NODE}l\n`
    expect(parseManifest(bytesOf(text))).toEqual([
      { path: 'a', nodeHex: NODE, flag: '' },
      { path: 'b c', nodeHex: NODE, flag: 'x' },
      { path: 'd/\xc3\xa9', nodeHex: NODE, flag: 'l' },
    ])
    expect(parseManifest(new Uint8Array(0))).toEqual([])
  })

  test('a damaged manifest is corrupt', () => {
    for (const text of ['a', `a\0${NODE}`, `\0${NODE}\n`, 'a\x0a3\n', `b\0${NODE}\na\0${NODE}\n`]) {
      expect(codeOf(() => parseManifest(bytesOf(text)))).toBe('corrupt')
    }
    expect(codeOf(() => findInManifest(bytesOf(`a\0${NODE}`), 'a'))).toBe('corrupt')
  })

  test('the flag of a tree manifest is an unknown format', () => {
    expect(codeOf(() => parseManifest(bytesOf(`dir\0${NODE}t\n`)))).toBe('unknown-format')
  })

  test('what the format cannot hold is refused', () => {
    const file: ManifestEntry = { path: 'a', nodeHex: NODE, flag: '' }
    for (const wrong of [{ path: '' }, { path: 'a\nb' }, { path: 'a\0b' }, { nodeHex: '12' }]) {
      expect(codeOf(() => serializeManifest([{ ...file, ...wrong }]))).toBe('usage')
    }
    expect(codeOf(() => serializeManifest([file, file]))).toBe('usage')
  })
})

function byPath(a: ManifestEntry, b: ManifestEntry): number {
  return a.path < b.path ? -1 : 1
}

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof RevlogError) return error.code
    throw error
  }
  return 'nothing thrown'
}
