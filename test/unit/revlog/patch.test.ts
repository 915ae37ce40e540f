import { inflateSync } from 'node:zlib'
import {
  gitBinaryPatch,
  manifestChanges,
  RevlogError,
  serializeManifest,
  unifiedHunks,
} from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyUnified } from '../../support/apply-unified.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

/** Texts of few different lines, so that they share some, with or without a last newline. */
const text = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y', '@@'), { maxLength: 40 }),
    fc.boolean(),
  )
  .map(([lines, ended]) =>
    lines
      .map((line) => `${line}\n`)
      .join('')
      .slice(0, ended ? undefined : -1),
  )

describe('unified hunks', () => {
  test('applied strictly to the old text they give the new one, whatever the texts', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 4 }), (before, after, context) => {
        const hunks = unifiedHunks(bytes(before), bytes(after), context)
        expect(applyUnified(before, hunks)).toBe(after)
        expect(hunks === '').toBe(before === after)
      }),
      { numRuns: 500 },
    )
  })

  test('show as many lines around as asked for, and join where they would touch', () => {
    const before = Array.from({ length: 20 }, (_, i) => `${i}\n`)
    const after = before.with(3, 'x\n').with(10, 'y\n').with(18, 'z\n')
    const hunks = unifiedHunks(bytes(before.join('')), bytes(after.join('')), 3)
    expect(hunks.match(/^@@.*$/gm)).toEqual(['@@ -1,14 +1,14 @@', '@@ -16,5 +16,5 @@'])
    const apart = unifiedHunks(bytes(before.join('')), bytes(after.join('')), 2)
    expect(apart.match(/^@@.*$/gm)).toEqual([
      '@@ -2,5 +2,5 @@',
      '@@ -9,5 +9,5 @@',
      '@@ -17,4 +17,4 @@',
    ])
  })

  test('say where a last line has no newline', () => {
    expect(unifiedHunks(bytes('a'), bytes('a\n'), 3)).toBe(
      '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n',
    )
  })
})

describe('changes between manifests', () => {
  const node = fc.constantFrom('1', '2', '3').map((digit) => digit.repeat(40))
  const files = fc.dictionary(
    fc.constantFrom('a', 'a.b', 'a/b', 'ab', 'b', 'dir/a', 'dir/b', 'z\xff'),
    fc.record({ nodeHex: node, flag: fc.constantFrom('' as const, 'x' as const, 'l' as const) }),
  )

  test('are the files that differ, in order, whatever the manifests', () => {
    fc.assert(
      fc.property(files, files, (before, after) => {
        const manifest = (some: typeof before): Uint8Array =>
          serializeManifest(Object.entries(some).map(([path, file]) => ({ path, ...file })))
        const expected = [...new Set([...Object.keys(before), ...Object.keys(after)])]
          .sort()
          .filter((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]))
        const changes = manifestChanges(manifest(before), manifest(after))
        expect(changes.map(({ path }) => path)).toEqual(expected)
        for (const change of changes) {
          expect(change.before?.nodeHex).toBe(before[change.path]?.nodeHex)
          expect(change.after?.flag).toBe(after[change.path]?.flag)
        }
      }),
    )
  })

  test('a manifest that ends inside a line is refused', () => {
    const whole = serializeManifest([{ path: 'a', nodeHex: '1'.repeat(40), flag: '' }])
    expect(() => manifestChanges(whole, whole.subarray(0, -1))).toThrow(RevlogError)
  })
})

describe('binary files in git form', () => {
  const DIGITS =
    '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

  /** Reads the lines of a literal back. */
  function decode(patch: string): Buffer {
    const lines = patch.split('\n').slice(3, -2)
    return Buffer.concat(
      lines.map((line) => {
        const mark = line.charCodeAt(0)
        const length = mark <= 0x5a ? mark - 0x40 : mark - 0x60 + 26
        const words = (line.slice(1).match(/.{5}/g) ?? []).map((digits) => {
          const word = Buffer.alloc(4)
          word.writeUInt32BE(
            [...digits].reduce((sum, digit) => sum * 85 + DIGITS.indexOf(digit), 0),
          )
          return word
        })
        return Buffer.concat(words).subarray(0, length)
      }),
    )
  }

  test('the content can be read back, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
        const patch = gitBinaryPatch(undefined, content)
        expect(inflateSync(decode(patch))).toEqual(Buffer.from(content))
        expect(patch).toContain(`\nliteral ${content.length}\n`)
      }),
    )
  })

  test('the index line has the blob hashes of git', () => {
    // `git hash-object` of an empty file.
    expect(gitBinaryPatch(undefined, new Uint8Array(0))).toMatch(
      /^index 0{40}\.\.e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n/,
    )
  })
})
