import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@assay/model'
import {
  ENTRY_SIZE,
  MAX_INLINE_BYTES,
  openRevlog,
  openRevlogWriter,
  type RevlogWriterOptions,
} from '@assay/revlog'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

type Settings = Omit<RevlogWriterOptions, 'indexPath' | 'dataPath'>

const every: readonly Settings[] = (['zlib', 'zstd', 'none'] as const).flatMap((compression) => [
  { compression, generaldelta: true, sparse: true },
  { compression, generaldelta: true, sparse: false },
  { compression, generaldelta: false, sparse: false },
  { compression, generaldelta: false, sparse: false, fullTexts: true },
])
const zlib: Settings = { compression: 'zlib', generaldelta: true, sparse: true }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-writer-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const paths = () => ({ indexPath: join(folder, 'x.i'), dataPath: join(folder, 'x.d') })
const open = (settings: Settings) => openRevlogWriter({ ...paths(), ...settings })
const read = () => openRevlog({ indexPath: paths().indexPath, mode: 'no-mmap' })

/** Revisions with several heads and merges; texts of lines of which a few change. */
const history = (count: number, seed: string) => {
  const random = seededRandom(seed)
  const pick = (below: number): number => Math.floor(random() * below)
  const line = (): string => `${random().toString(36)} ${'pad '.repeat(pick(4))}\n`
  const lists: string[][] = []
  return Array.from({ length: count }, (_, rev) => {
    const p1 = rev === 0 || pick(20) === 0 ? -1 : Math.max(0, rev - 1 - pick(4))
    const p2 = rev > 2 && pick(8) === 0 ? pick(rev) : -1
    const lines = [...(lists[p1] ?? Array.from({ length: pick(200) }, line))]
    for (let edit = 0; edit <= pick(4); edit += 1)
      lines.splice(pick(lines.length + 1), pick(2), line())
    lists.push(lines)
    return { text: Buffer.from(lines.join('')), p1, p2: p2 === p1 ? -1 : p2, linkRev: rev }
  })
}

describe('openRevlogWriter', () => {
  it.each(every)('what is written reads back equal: %o', (settings) => {
    const revisions = history(300, JSON.stringify(settings))
    const writer = open(settings)
    const revs = revisions.map((revision, at) => {
      if (at % 70 === 69) writer.flush()
      return writer.append(revision).rev
    })
    writer.flush()
    const reader = read()
    expect(reader.length).toBe(writer.length)
    revisions.forEach(({ text, p1, p2 }, at) => {
      const rev = revs[at] ?? -1
      // rawText checks the node, so the parents' nodes are right too.
      expect(Buffer.compare(reader.rawText(rev), text)).toBe(0)
      expect(reader.entry(rev)).toMatchObject({ p1, p2 })
      expect(Buffer.compare(writer.text(rev), text)).toBe(0)
    })
    reader.close()
  })

  it.each(every)('reopening half-way and going on gives the same bytes: %o', (settings) => {
    const revisions = history(160, 'reopen')
    const whole = open(settings)
    for (const revision of revisions) whole.append(revision)
    whole.flush()
    const [index, data] = [paths().indexPath, paths().dataPath]
    const wanted = [readFileSync(index), existsSync(data) ? readFileSync(data) : Buffer.alloc(0)]
    rmSync(index)
    rmSync(data, { force: true })
    for (let at = 0; at < revisions.length; at += 40) {
      const part = open(settings)
      for (const revision of revisions.slice(at, at + 40)) part.append(revision)
      part.flush()
    }
    const got = [readFileSync(index), existsSync(data) ? readFileSync(data) : Buffer.alloc(0)]
    expect(got.map((bytes, at) => Buffer.compare(bytes, wanted[at] ?? bytes))).toEqual([0, 0])
  })

  it('the same text with the same parents is stored once and keeps its first link', () => {
    const writer = open(zlib)
    const revision = { text: Buffer.from('one\n'), p1: -1, p2: -1, linkRev: 3 }
    expect(writer.append(revision)).toEqual({ rev: 0, added: true })
    expect(writer.append({ ...revision, linkRev: 9 })).toEqual({ rev: 0, added: false })
    expect([writer.length, writer.linkRev(0)]).toEqual([1, 3])
  })

  it('data stays in the index file below 131,072 bytes and leaves it at that size', () => {
    const { indexPath, dataPath } = paths()
    // An incompressible chunk is stored as its bytes behind one mark.
    const chunk = (bytes: number, fill: string) => Buffer.alloc(bytes - 1, fill)
    const settings: Settings = { ...zlib, compression: 'none', fullTexts: true }
    const writer = open(settings)
    const add = (text: Uint8Array) => writer.append({ text, p1: -1, p2: -1, linkRev: 0 })
    add(chunk(100_000, 'a'))
    add(chunk(MAX_INLINE_BYTES - 100_001, 'b'))
    writer.flush()
    expect([writer.split, existsSync(dataPath)]).toEqual([false, false])
    expect(statSync(indexPath).size).toBe(MAX_INLINE_BYTES - 1 + 2 * ENTRY_SIZE)
    add(Buffer.alloc(0))
    writer.flush()
    expect(existsSync(dataPath)).toBe(false)
    add(Uint8Array.of(0))
    writer.flush()
    expect([writer.split, statSync(dataPath).size]).toEqual([true, MAX_INLINE_BYTES])
    expect(statSync(indexPath).size).toBe(4 * ENTRY_SIZE)
    add(chunk(10, 'c'))
    writer.flush()
    const reader = read()
    expect([...Array(5).keys()].map((rev) => reader.rawText(rev).length)).toEqual([
      99_999,
      MAX_INLINE_BYTES - 100_002,
      0,
      1,
      9,
    ])
    reader.close()
  })

  it('chains of a sparse revlog go through intermediate snapshots and stay within twice the text', () => {
    const random = seededRandom('snapshots')
    const lines = Array.from({ length: 600 }, () => `${random()}\n`)
    const writer = open({ ...zlib, compression: 'none' })
    let p1 = -1
    for (let rev = 0; rev < 1500; rev += 1) {
      lines[Math.floor(random() * 100)] = `${random()}\n`
      p1 = writer.append({ text: Buffer.from(lines.join('')), p1, p2: -1, linkRev: rev }).rev
    }
    writer.flush()
    const reader = read()
    const entries = Array.from({ length: reader.length }, (_, rev) => reader.entry(rev))
    const snapshots = entries.filter(
      (entry, rev) => entry.baseRev !== rev && entry.baseRev !== entry.p1,
    )
    expect(snapshots.length).toBeGreaterThan(0)
    entries.forEach((entry, rev) => {
      let chainBytes = 0
      for (let at = rev; ; at = entries[at]?.baseRev ?? at) {
        chainBytes += entries[at]?.compressedLength ?? 0
        if (entries[at]?.baseRev === at) break
      }
      expect(chainBytes).toBeLessThanOrEqual(2 * entry.uncompressedLength + 1)
    })
    reader.close()
  })

  it('what an interrupted writer left behind the last entry is cut off', () => {
    const settings: Settings = { ...zlib, compression: 'none', fullTexts: true }
    const big = Buffer.alloc(MAX_INLINE_BYTES, 'x')
    const first = open(settings)
    first.append({ text: big, p1: -1, p2: -1, linkRev: 0 })
    first.flush()
    writeFileSync(paths().dataPath, 'left over', { flag: 'a' })
    const second = open(settings)
    second.append({ text: Buffer.from('next'), p1: 0, p2: -1, linkRev: 1 })
    second.flush()
    expect(statSync(paths().dataPath).size).toBe(big.length + 1 + 5)
    const reader = read()
    expect(Buffer.from(reader.rawText(1)).toString()).toBe('next')
    reader.close()
  })

  it('a data file that is too short is an error, not a hole', () => {
    const settings: Settings = { ...zlib, compression: 'none', fullTexts: true }
    const first = open(settings)
    first.append({ text: Buffer.alloc(MAX_INLINE_BYTES, 'x'), p1: -1, p2: -1, linkRev: 0 })
    first.flush()
    truncateSync(paths().dataPath, 1000)
    const second = open(settings)
    second.append({ text: Buffer.from('next'), p1: 0, p2: -1, linkRev: 1 })
    expect(() => second.flush()).toThrow(expect.objectContaining({ code: 'corrupt' }))
  })

  it('parents that are not there and sparse without generaldelta are refused', () => {
    const writer = open(zlib)
    const text = Buffer.from('x')
    expect(() => writer.append({ text, p1: 0, p2: -1, linkRev: 0 })).toThrow(
      expect.objectContaining({ code: 'unknown-revision' }),
    )
    expect(() => open({ compression: 'zlib', generaldelta: false, sparse: true })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    )
  })
})
