/** The codecs of index headers and entries. */
import {
  ENTRY_SIZE,
  mergeHeader,
  parseHeader,
  parseIndexEntry,
  RevlogError,
  serializeHeader,
  serializeIndexEntry,
} from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const rev = fc.integer({ min: -1, max: 2 ** 31 - 1 })
const length = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const entries = fc.record({
  offset: fc.maxSafeNat().map((offset) => offset % 2 ** 48),
  flags: fc.integer({ min: 0, max: 0xffff }),
  compressedLength: length,
  uncompressedLength: rev,
  baseRev: rev,
  linkRev: rev,
  p1: rev,
  p2: rev,
  node: fc.uint8Array({ minLength: 20, maxLength: 20 }),
})

describe('index entries', () => {
  test('every entry is read back as it was written, at any place in a file', () => {
    fc.assert(
      fc.property(entries, fc.nat(100), (entry, at) => {
        const file = new Uint8Array(at + ENTRY_SIZE + 3)
        file.set(serializeIndexEntry(entry), at)
        expect(parseIndexEntry(file, at)).toEqual(entry)
      }),
    )
  })

  test('the fields lie where the format document puts them', () => {
    const node = Uint8Array.from({ length: 20 }, (_, i) => 0xa0 + i)
    const bytes = serializeIndexEntry({
      offset: 0x0102_0304_0506,
      flags: 0x8000,
      compressedLength: 7,
      uncompressedLength: 8,
      baseRev: 9,
      linkRev: 10,
      p1: 11,
      p2: -1,
      node,
    })
    expect(Buffer.from(bytes).toString('hex')).toBe(
      `0102030405068000${[7, 8, 9, 10, 11].map((n) => n.toString(16).padStart(8, '0')).join('')}` +
        `ffffffff${Buffer.from(node).toString('hex')}${'00'.repeat(12)}`,
    )
  })

  test('an entry that is cut short is corrupt, not read past its end', () => {
    for (const at of [-1, 1, 64]) {
      expect(codeOf(() => parseIndexEntry(new Uint8Array(ENTRY_SIZE), at))).toBe('corrupt')
    }
  })

  test('a value that its field cannot hold is refused and not cut', () => {
    const entry = fc.sample(entries, { numRuns: 1, seed: 1 })[0]
    if (entry === undefined) throw new Error('no sample')
    for (const wrong of [
      { offset: 2 ** 48 },
      { flags: 0x1_0000 },
      { compressedLength: -1 },
      { baseRev: 2 ** 31 },
      { p1: -2 },
      { linkRev: 0.5 },
    ]) {
      expect(codeOf(() => serializeIndexEntry({ ...entry, ...wrong }))).toBe('too-large')
    }
    expect(codeOf(() => serializeIndexEntry({ ...entry, node: new Uint8Array(19) }))).toBe(
      'corrupt',
    )
  })
})

describe('headers', () => {
  test.each([
    [0x0000_0001, false, false],
    [0x0001_0001, true, false],
    [0x0002_0001, false, true],
    [0x0003_0001, true, true],
  ])('0x%s means inline %s, generaldelta %s', (word, inline, generaldelta) => {
    const header = parseHeader(wordBytes(word), 'x.i')
    expect(header).toEqual({ version: 1, inline, generaldelta })
    expect(serializeHeader(header)).toBe(word)
    const entry = new Uint8Array(ENTRY_SIZE)
    mergeHeader(entry, header)
    expect(parseHeader(entry, 'x.i')).toEqual(header)
  })

  test('unknown versions and flags are refused by name', () => {
    expect(messageOf(() => parseHeader(wordBytes(0x0001_0002), 'x.i'))).toContain('version 2')
    expect(messageOf(() => parseHeader(wordBytes(0x0000_dead), 'x.i'))).toContain('version 57005')
    expect(messageOf(() => parseHeader(wordBytes(0x0008_0001), 'x.i'))).toContain('delta-info')
    expect(messageOf(() => parseHeader(wordBytes(0x8000_0001), 'x.i'))).toContain('0x80000000')
  })

  test('fewer than four bytes are corrupt', () => {
    expect(codeOf(() => parseHeader(new Uint8Array(3), 'x.i'))).toBe('corrupt')
  })
})

function wordBytes(word: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, word)
  return bytes
}

function codeOf(act: () => unknown): string {
  return errorOf(act).code
}

function messageOf(act: () => unknown): string {
  return errorOf(act).message
}

function errorOf(act: () => unknown): RevlogError {
  try {
    act()
  } catch (error) {
    if (error instanceof RevlogError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
