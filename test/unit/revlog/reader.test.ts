/** Reading revlogs: every layout, chains of all kinds, the index, and the end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACCESS_MODES, headRevs, openRevlog } from '@assay/revlog'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  buildRevlog,
  chainOf,
  codeOf,
  type Layout,
  type PlannedRevision,
  withLog,
} from './reader-build-revlog.ts'

let scratch = ''
let path = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-reader-'))
  path = join(scratch, 'x.i')
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const SPLIT: Layout = { inline: false, generaldelta: true, compression: 'zlib' }
const INLINE: Layout = { ...SPLIT, inline: true }

describe('texts', () => {
  test('every text comes back, whatever the layout, the chain and the order of asking', () => {
    const layouts = fc.record({
      inline: fc.boolean(),
      generaldelta: fc.boolean(),
      compression: fc.constantFrom('none' as const, 'zlib' as const, 'zstd' as const),
      gapBytes: fc.constantFrom(0, 0, 20_000),
    })
    const property = fc.property(
      layouts,
      fc.array(plannedShape(), { minLength: 1, maxLength: 25 }),
      fc.constantFrom(...ACCESS_MODES),
      fc.array(fc.nat(24), { maxLength: 30 }),
      (layout, shapes, mode, order) => {
        const revisions = plan(shapes, layout.generaldelta)
        buildRevlog(path, revisions, layout)
        const log = openRevlog({ indexPath: path, mode, mmapThreshold: 1 })
        try {
          expect(log.length).toBe(revisions.length)
          const all = revisions.map((_, rev) => rev)
          for (const rev of [...order.map((n) => n % revisions.length), ...all]) {
            expect(Buffer.compare(log.rawText(rev), revisions[rev]?.text ?? NOTHING)).toBe(0)
          }
        } finally {
          log.close()
        }
      },
    )
    fc.assert(property, { numRuns: 150 })
  })

  test('a chain that spans far more than the read window leaves its gaps out', () => {
    const revisions = chainOf(40, 4_000)
    buildRevlog(path, revisions, { ...SPLIT, compression: 'none', gapBytes: 50_000 })
    withLog(path, (log) => {
      for (const rev of [39, 0, 20, 39]) {
        expect(Buffer.compare(log.rawText(rev), revisions[rev]?.text ?? NOTHING)).toBe(0)
      }
    })
  })

  test('a text larger than the read window is read whole', () => {
    const text = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) >> 3)
    buildRevlog(path, [{ text, p1: -1, p2: -1, base: 0 }], { ...SPLIT, compression: 'none' })
    withLog(path, (log) => expect(Buffer.compare(log.rawText(0), text)).toBe(0))
  })

  test('a text stays what it was when others are read after it', () => {
    const revisions = [0, 1, 2].map((rev) => ({
      text: new Uint8Array(50_000).fill(rev),
      p1: -1,
      p2: -1,
      base: rev,
    }))
    buildRevlog(path, revisions, { ...SPLIT, compression: 'none' })
    withLog(path, (log) => {
      const texts = revisions.map((_, rev) => log.rawText(rev))
      expect(texts.map((text, rev) => text.every((byte) => byte === rev))).toEqual([
        true,
        true,
        true,
      ])
    })
  })

  test('the null revision has an empty text and the null node', () => {
    buildRevlog(path, chainOf(2, 10), INLINE)
    withLog(path, (log) => {
      expect(log.rawText(-1).length).toBe(0)
      expect(Buffer.from(log.node(-1)).toString('hex')).toBe('0'.repeat(40))
      expect(log.findRev(new Uint8Array(20))).toBe(-1)
    })
  })
})

describe('the index', () => {
  test('single fields and whole entries agree', () => {
    for (const layout of [SPLIT, INLINE]) {
      buildRevlog(path, chainOf(5, 100), layout)
      withLog(path, ({ index }) => {
        for (let rev = 0; rev < index.length; rev++) {
          expect(index.entry(rev)).toEqual({
            offset: index.offset(rev),
            flags: index.flags(rev),
            compressedLength: index.compressedLength(rev),
            uncompressedLength: index.uncompressedLength(rev),
            baseRev: index.baseRev(rev),
            linkRev: index.linkRev(rev),
            p1: index.p1(rev),
            p2: index.p2(rev),
            node: index.node(rev),
          })
          expect(index.nodeHex(rev)).toBe(Buffer.from(index.node(rev)).toString('hex'))
        }
      })
    }
  })

  test('a node is found by few and by many look-ups, an unknown one is not', () => {
    const revisions = chainOf(200, 5)
    buildRevlog(path, revisions, SPLIT)
    withLog(path, (log) => {
      for (let rev = 199; rev >= 0; rev--) expect(log.findRev(log.node(rev))).toBe(rev)
    })
    withLog(path, (log) => {
      const almost = log.node(3)
      almost[19] = (almost[19] ?? 0) ^ 1
      for (let i = 0; i < 20; i++) expect(log.findRev(almost)).toBeUndefined()
      expect(log.findRev(new Uint8Array(5))).toBeUndefined()
    })
  })

  test('heads are the revisions without children', () => {
    const text = new Uint8Array(1)
    const parents = [
      [-1, -1],
      [0, -1],
      [0, -1],
      [1, 2],
      [1, -1],
    ] as const
    const revisions = parents.map(([p1, p2], rev) => ({ text, p1, p2, base: rev }))
    buildRevlog(path, revisions, SPLIT)
    withLog(path, (log) => expect(headRevs(log.index)).toEqual([3, 4]))
  })

  test('a file that is not there is an error, or empty if so wished', () => {
    const missing = { indexPath: join(scratch, 'none.i'), mode: 'no-mmap' } as const
    expect(codeOf(() => openRevlog(missing))).toBe('system')
    const log = openRevlog({ ...missing, whenMissing: 'empty' })
    expect([log.length, log.findRev(new Uint8Array(20).fill(1))]).toEqual([0, undefined])
    log.close()
  })

  test('an index that exists but cannot be opened is never taken for an empty one', () => {
    const notADirectory = join(path, 'x.i')
    buildRevlog(path, chainOf(1, 1), SPLIT)
    const open = () =>
      openRevlog({ indexPath: notADirectory, mode: 'no-mmap', whenMissing: 'empty' })
    expect(codeOf(open)).toBe('system')
  })
})

describe('closing', () => {
  test.each(ACCESS_MODES)('%s: whatever is asked after close() is a typed error', (mode) => {
    for (const layout of [SPLIT, INLINE]) {
      buildRevlog(path, chainOf(3, 200), layout)
      const log = openRevlog({ indexPath: path, mode, mmapThreshold: 1 })
      log.rawText(2)
      log.close()
      log.close()
      const uses = [
        () => log.rawText(2),
        () => log.rawText(0),
        () => log.node(0),
        () => log.entry(0),
        () => log.storedChunk(0),
        () => log.findRev(new Uint8Array(20).fill(1)),
      ]
      expect(uses.map(codeOf)).toEqual(uses.map(() => 'closed'))
    }
  })

  test('a revision outside the revlog is unknown', () => {
    buildRevlog(path, chainOf(3, 20), SPLIT)
    withLog(path, (log) => {
      for (const rev of [3, -2]) expect(codeOf(() => log.rawText(rev))).toBe('unknown-revision')
    })
  })
})

const NOTHING = new Uint8Array(0)

/** What a random revision looks like before its parents and base are known. */
function plannedShape() {
  const line = fc.constantFrom('a\n', 'bb\n', 'some longer line of text\n', '\0binary\n', 'u', 'x')
  return fc.record({
    lines: fc.array(line, { maxLength: 60 }),
    p1: fc.nat(100),
    p2: fc.nat(100),
    base: fc.nat(100),
    kind: fc.constantFrom('full', 'delta', 'delta', 'delta', 'null'),
  })
}

type Shape = ReturnType<typeof plannedShape> extends fc.Arbitrary<infer T> ? T : never

function plan(shapes: readonly Shape[], generaldelta: boolean): PlannedRevision[] {
  return shapes.map(({ lines, p1, p2, base, kind }, rev) => {
    const delta = generaldelta ? base % Math.max(1, rev) : rev - 1
    const full = rev === 0 || kind === 'full' || (kind === 'null' && !generaldelta)
    return {
      text: Buffer.from(lines.join('')),
      p1: (p1 % (rev + 1)) - 1,
      p2: (p2 % (rev + 1)) - 1,
      base: kind === 'null' && generaldelta ? -1 : full ? rev : delta,
    }
  })
}
