/** Bundles in memory: what is written reads back, and no garbage gets through or hangs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BUNDLE_TYPES,
  bytesInput,
  type ChangegroupReader,
  createRepository,
  findOutgoing,
  knownParts,
  openBundle,
  openRepository,
  type Repository,
  RevlogError,
  readChangegroup,
  writeBundle,
  writeBundle2,
} from '@assay/revlog'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let scratch = ''
let repository: Repository

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'revlog-bundle-'))
  const writer = createRepository(join(scratch, 'repo'))
  for (let rev = 0; rev < 12; rev++) {
    writer.commit({
      // 0 to 5 in a row; 6 to 8 from 2; 9 merges both; 10, 11 on top.
      p1: rev === 6 ? 2 : rev - 1,
      p2: rev === 9 ? 5 : -1,
      user: 'x',
      time: rev,
      timezoneSeconds: 0,
      description: `change ${rev}`,
      phase: rev < 3 ? 'public' : 'draft',
      files: [
        {
          kind: 'write',
          path: `dir/file${rev % 3}`,
          content: Buffer.from(`${'line\n'.repeat(rev)}${rev}`),
        },
      ],
    })
  }
  writer.close()
  repository = openRepository(join(scratch, 'repo'), { mode: 'no-mmap' })
})

afterAll(() => {
  repository.close()
  rmSync(scratch, { recursive: true, force: true })
})

describe('what is outgoing', () => {
  test('it is the ancestors of the heads that are no ancestors of the bases', () => {
    const revsOf = (bases: number[], heads: number[]) =>
      findOutgoing(repository.changelog.index, { bases, heads }).revs
    expect(revsOf([-1], [11])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(revsOf([5], [11])).toEqual([6, 7, 8, 9, 10, 11])
    expect(revsOf([8], [5])).toEqual([3, 4, 5])
    expect(revsOf([11], [4])).toEqual([])
  })

  test('it agrees with sets of ancestors on any graph', () => {
    const graph = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(graph, fc.array(fc.nat()), fc.array(fc.nat(), { minLength: 1 }), (raw, b, h) => {
        const parents = raw.map(([p, q], rev): [number, number] => [
          (p % (rev + 1)) - 1,
          (q % (rev + 1)) - 1,
        ])
        const bases = b.map((rev) => rev % raw.length)
        const heads = h.map((rev) => rev % raw.length)
        const known = ancestors(parents, bases)
        const expected = [...ancestors(parents, heads)].filter((rev) => !known.has(rev))
        const index = Object.assign(Object.create(repository.changelog.index), {
          p1: (rev: number) => parents[rev]?.[0] ?? -1,
          p2: (rev: number) => parents[rev]?.[1] ?? -1,
        })
        Object.defineProperty(index, 'length', { value: raw.length })
        const outgoing = findOutgoing(index, { bases, heads })
        expect(outgoing.revs).toEqual(expected.sort((x, y) => x - y))
        for (let rev = 0; rev < raw.length; rev++)
          expect(outgoing.isKnown(rev)).toBe(known.has(rev))
      }),
      { numRuns: 100 },
    )
  })
})

describe('a written bundle', () => {
  test.each(BUNDLE_TYPES)('%s reads back: every revision of every revlog once', (type) => {
    const bundle = openBundle(bytesInput(bundled(type)))
    const [part] = [...partsRead(bundle.parts())]
    expect(part).toEqual({
      name: 'changegroup',
      changesets: 12,
      manifests: 12,
      files: 3,
      revisions: 12,
    })
  })

  test('every delta has a base that came before it or that the receiver has', () => {
    const outgoing = findOutgoing(repository.changelog.index, { bases: [5], heads: [11] })
    const bytes = Buffer.concat([...writeBundle({ repository, outgoing, type: 'none-v2' })])
    for (const part of openBundle(bytesInput(bytes)).parts()) {
      if (part.name !== 'changegroup') continue
      const group = readChangegroup(part.payload, '02')
      expect([...group.changelog()]).toHaveLength(6)
      const there = new Set(['0'.repeat(40)])
      for (let rev = 0; rev <= 5; rev++) there.add(repository.manifest.nodeHex(rev))
      for (const { node, deltaBase } of group.manifests()) {
        expect(there).toContain(Buffer.from(deltaBase).toString('hex'))
        there.add(Buffer.from(node).toString('hex'))
      }
    }
  })

  test('phases travel when they are asked for', () => {
    const bytes = bundled('none-v2', true)
    const parts = [...openBundle(bytesInput(bytes)).parts()]
    expect(parts.map(({ name, mandatory }) => [name, mandatory])).toEqual([
      ['changegroup', true],
      ['cache:rev-branch-cache', false],
      ['phase-heads', true],
    ])
  })
})

describe('parts', () => {
  test('an unknown mandatory part refuses, an unknown advisory part is skipped and said', () => {
    const stream = (name: string) =>
      Buffer.concat([...writeBundle2([{ name, payload: [Buffer.from('abc')] }], 'none')])
    const skipped: string[] = []
    const read = (bytes: Uint8Array) => [
      ...knownParts(openBundle(bytesInput(bytes)), {
        known: new Map([['output', new Set<string>()]]),
        onSkipped: ({ name }) => skipped.push(name),
      }),
    ]
    expect(read(stream('novelty'))).toEqual([])
    expect(skipped).toEqual(['novelty'])
    expect(() => read(stream('NOVELTY'))).toThrow('missing support for novelty')
    expect(read(stream('OUTPUT'))).toHaveLength(1)
  })

  test('a part that interrupts another is handled in the middle, and the other goes on', () => {
    const whole = Buffer.concat([
      ...writeBundle2([{ name: 'a', payload: [Buffer.from('xyz')] }], 'none'),
    ])
    const inner = Buffer.concat([
      ...writeBundle2([{ name: 'output', payload: [Buffer.from('!')] }], 'none'),
    ])
    // Behind magic, parameters' length, part header's length and the header itself: the payload.
    const at = 8 + 4 + whole.readUInt32BE(8)
    const bytes = Buffer.concat([
      whole.subarray(0, at),
      Buffer.from([255, 255, 255, 255]),
      inner.subarray(8, inner.length - 4),
      whole.subarray(at),
    ])
    const seen: string[] = []
    const bundle = openBundle(bytesInput(bytes), {
      onInterrupt: ({ name, payload }) => seen.push(name, Buffer.from(payload.read(1)).toString()),
    })
    for (const part of bundle.parts()) seen.push(Buffer.from(part.payload.read(3)).toString())
    expect(seen).toEqual(['output', '!', 'xyz'])
  })

  test('an unknown mandatory stream parameter refuses, an advisory one does not', () => {
    const withParameter = (text: string) =>
      Buffer.concat([
        Buffer.from(`HG20\0\0\0${String.fromCharCode(text.length)}${text}`),
        Buffer.alloc(4),
      ])
    expect([...openBundle(bytesInput(withParameter('hint=a%20b'))).parameters]).toEqual([
      ['hint', 'a b'],
    ])
    expect(() => openBundle(bytesInput(withParameter('Strange=1')))).toThrow('Strange')
    expect(() => openBundle(bytesInput(withParameter('Compression=XX')))).toThrow(
      'unknown compression',
    )
  })
})

describe('garbage', () => {
  test('what is no bundle is said to be none', () => {
    for (const [bytes, code] of [
      ['', 'truncated'],
      ['HG', 'truncated'],
      ['hello', 'corrupt'],
      ['HG10XX', 'corrupt'],
      ['HG99', 'unsupported'],
      ['HGS1UN', 'unsupported'],
      ['HG20\xff\xff\xff\xff', 'corrupt'],
      ['HG20\x7f\xff\xff\xff', 'corrupt'],
    ] as const) {
      expect([bytes, codeOf(() => openBundle(bytesInput(Buffer.from(bytes, 'latin1'))))]).toEqual([
        bytes,
        code,
      ])
    }
  })

  test('a declared length takes no memory before its bytes have arrived', () => {
    const before = process.memoryUsage().arrayBuffers
    const huge = Buffer.from('HG10UN\x3f\xff\xff\xff and then nothing', 'latin1')
    expect(codeOf(() => readAll(huge))).toBe('truncated')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
    const beyond = Buffer.from('HG10UN\x7f\xff\xff\xff and then nothing', 'latin1')
    expect(codeOf(() => readAll(beyond))).toBe('too-large')
  })

  test.each(BUNDLE_TYPES)('%s cut anywhere is an error with its place', (type) => {
    const bytes = bundled(type)
    for (let length = 0; length < bytes.length; length += 7) {
      expect(['truncated', 'corrupt']).toContain(codeOf(() => readAll(bytes.subarray(0, length))))
    }
  })

  test.each(BUNDLE_TYPES)('%s with any byte changed reads or is refused by code', (type) => {
    const bytes = bundled(type)
    const place = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(place, ([at, change]) => {
        const damaged = Uint8Array.from(bytes)
        damaged[at] = (damaged[at] ?? 0) ^ change
        try {
          readAll(damaged)
        } catch (error) {
          expect(error).toBeInstanceOf(RevlogError)
        }
      }),
      { numRuns: 300 },
    )
  })
})

function bundled(type: (typeof BUNDLE_TYPES)[number], phases = false): Buffer {
  const outgoing = findOutgoing(repository.changelog.index, { bases: [-1], heads: [11] })
  return Buffer.concat([...writeBundle({ repository, outgoing, type, phases })])
}

function readAll(bytes: Uint8Array): void {
  for (const _part of partsRead(openBundle(bytesInput(bytes)).parts()));
}

function* partsRead(parts: ReturnType<ReturnType<typeof openBundle>['parts']>) {
  for (const part of parts) {
    const version = part.parameters.get('version') === '01' ? '01' : '02'
    if (part.name !== 'changegroup') continue
    yield { name: part.name, ...countAll(readChangegroup(part.payload, version)) }
  }
}

function countAll(group: ChangegroupReader) {
  const changesets = [...group.changelog()].length
  const manifests = [...group.manifests()].length
  let files = 0
  let revisions = 0
  for (const { chunks } of group.files()) {
    files++
    revisions += [...chunks].length
  }
  return { changesets, manifests, files, revisions }
}

function ancestors(parents: readonly [number, number][], of: readonly number[]): Set<number> {
  const found = new Set<number>()
  const waiting = [...of]
  for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
    if (rev < 0 || found.has(rev)) continue
    found.add(rev)
    waiting.push(...(parents[rev] ?? []))
  }
  return found
}

function codeOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (error instanceof RevlogError) return error.code
    throw error
  }
  return 'no error'
}
