/** What readers must refuse: flags that forbid reading, and damage of many kinds. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  hashText,
  type IndexEntry,
  openRevlog,
  REVISION_CENSORED,
  REVISION_ELLIPSIS,
  REVISION_EXTSTORED,
  REVISION_HASCOPIESINFO,
  RevlogError,
} from '@assay/revlog'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRevlog, chainOf, codeOf, type Layout, withLog } from './reader-build-revlog.ts'

let scratch = ''
let path = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-reader-damage-'))
  path = join(scratch, 'x.i')
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const SPLIT: Layout = { inline: false, generaldelta: true, compression: 'zlib' }
const INLINE: Layout = { ...SPLIT, inline: true }
const NOTHING = new Uint8Array(0)

describe('flags', () => {
  test('a censored revision is reported as such and those built on others still read', () => {
    buildRevlog(path, chainOf(3, 50), { ...SPLIT, alter: withFlags(1, REVISION_CENSORED) })
    withLog(path, (log) => {
      expect(codeOf(() => log.rawText(1))).toBe('censored')
      expect(log.rawText(0).length).toBeGreaterThan(0)
    })
  })

  test('an ellipsis text is given although it does not hash to its node', () => {
    const alter = (entry: IndexEntry): IndexEntry => ({
      ...entry,
      flags: REVISION_ELLIPSIS,
      node: new Uint8Array(20).fill(7),
    })
    const revisions = chainOf(1, 50)
    buildRevlog(path, revisions, { ...INLINE, alter })
    withLog(path, (log) =>
      expect(Buffer.compare(log.rawText(0), revisions[0]?.text ?? NOTHING)).toBe(0),
    )
  })

  test('content stored elsewhere and unknown flags are refused, copy information is not', () => {
    const codes = [REVISION_EXTSTORED, 1 << 3, REVISION_HASCOPIESINFO].map((flags) => {
      buildRevlog(path, chainOf(1, 50), { ...INLINE, alter: withFlags(0, flags) })
      return withLog(path, (log) => codeOf(() => log.rawText(0)))
    })
    expect(codes).toEqual(['external-storage', 'unknown-format', 'nothing thrown'])
  })
})

describe('damage', () => {
  const alterations: readonly (readonly [string, Partial<IndexEntry>, string])[] = [
    ['a wrong node', { node: new Uint8Array(20).fill(1) }, 'hash-mismatch'],
    ['a wrong parent', { p2: 0 }, 'hash-mismatch'],
    ['a parent after the child', { p1: 2 }, 'corrupt'],
    ['a base after the revision', { baseRev: 2 }, 'corrupt'],
    ['a base below null', { baseRev: -2 }, 'corrupt'],
    ['a wrong text length', { uncompressedLength: 5 }, 'corrupt'],
    ['a chunk past the end', { compressedLength: 1 << 30 }, 'corrupt'],
    ['an offset past the end', { offset: 2 ** 47 }, 'corrupt'],
    ['an overlapping chunk', { offset: 0 }, 'corrupt'],
  ]
  test.each(alterations)('%s is found', (_title, change, code) => {
    // serializeIndexEntry refuses what no entry can hold, so one field is set behind its back.
    const alter = (entry: IndexEntry, rev: number): IndexEntry =>
      rev === 1 && change.baseRev !== -2 ? { ...entry, ...change } : entry
    buildRevlog(path, chainOf(3, 200), { ...SPLIT, alter })
    if (change.baseRev === -2) patchInt32(path, 64 + 16, -2)
    withLog(path, (log) => expect(codeOf(() => log.rawText(1))).toBe(code))
  })

  test('a negative chunk length is found in both layouts', () => {
    for (const layout of [SPLIT, INLINE]) {
      buildRevlog(path, chainOf(1, 200), layout)
      patchInt32(path, 8, -5)
      const read = () => withLog(path, (log) => log.rawText(0))
      expect(codeOf(read)).toBe('corrupt')
    }
  })

  test('an index that is cut short is refused at once', () => {
    for (const layout of [SPLIT, INLINE]) {
      for (const keep of [1, 3, 63, 65, 100]) {
        buildRevlog(path, chainOf(3, 200), layout)
        truncateSync(path, keep)
        expect(codeOf(() => openRevlog({ indexPath: path, mode: 'no-mmap' }))).toBe('corrupt')
      }
    }
  })

  test('a data file that is missing or cut short is an error, never a short text', () => {
    buildRevlog(path, chainOf(3, 200), SPLIT)
    truncateSync(`${path.slice(0, -2)}.d`, 20)
    withLog(path, (log) => expect(codeOf(() => log.rawText(2))).toBe('corrupt'))
    rmSync(`${path.slice(0, -2)}.d`)
    withLog(path, (log) => expect(codeOf(() => log.rawText(2))).toBe('system'))
  })

  test('a chunk that would grow beyond the length in the index is not opened further', () => {
    for (const compression of ['zlib', 'zstd'] as const) {
      for (const at of [0, 1]) {
        const alter = (entry: IndexEntry, rev: number): IndexEntry =>
          rev === at ? { ...entry, uncompressedLength: 100 } : entry
        const text = Buffer.alloc(at === 0 ? 5_000_000 : 100)
        const [first, second] = [
          { text, p1: -1, p2: -1, base: 0 },
          { text: Buffer.alloc(5_000_000), p1: 0, p2: -1, base: 0 },
        ]
        buildRevlog(path, [first, second], { ...SPLIT, compression, alter })
        withLog(path, (log) => expect(() => log.rawText(at)).toThrow(/chunk .* cannot be read/))
      }
    }
  })

  test('random damage never gives a wrong text', () => {
    const revisions = chainOf(6, 300)
    const property = fc.property(
      fc.boolean(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (inline, where, xor) => {
        buildRevlog(path, revisions, inline ? INLINE : SPLIT)
        flipByte(inline || where % 2 === 0 ? path : `${path.slice(0, -2)}.d`, where >> 1, xor)
        for (let rev = 0; rev < revisions.length; rev++) {
          try {
            withLog(path, (log) => {
              const text = log.rawText(rev)
              // A flipped ellipsis flag switches the check off, as the format wants it.
              if ((log.index.flags(rev) & REVISION_ELLIPSIS) !== 0) return
              const parents = [log.index.p1(rev), log.index.p2(rev)] as const
              expect(hashText(log.node(parents[0]), log.node(parents[1]), text)).toBe(
                log.index.nodeHex(rev),
              )
            })
          } catch (error) {
            if (!(error instanceof RevlogError)) throw error
          }
        }
      },
    )
    fc.assert(property, { numRuns: 200 })
  })
})

function withFlags(which: number, flags: number) {
  return (entry: IndexEntry, rev: number): IndexEntry =>
    rev === which ? { ...entry, flags } : entry
}

function patchInt32(file: string, at: number, value: number): void {
  const bytes = readFileSync(file)
  bytes.writeInt32BE(value, at)
  writeFileSync(file, bytes)
}

function flipByte(file: string, where: number, xor: number): void {
  const bytes = readFileSync(file)
  const at = where % bytes.length
  bytes[at] = (bytes[at] ?? 0) ^ xor
  writeFileSync(file, bytes)
}
