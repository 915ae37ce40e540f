/** The text of changesets and their extras. */
import {
  branchOf,
  byteString,
  bytesOf,
  type Changeset,
  decodeByteString,
  NULL_CHANGESET,
  parseChangeset,
  parseExtra,
  RevlogError,
  serializeChangeset,
  serializeExtra,
  utf8ByteString,
} from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** Any bytes as a byte string. */
const anyBytes = fc.uint8Array({ maxLength: 40 }).map(byteString)
const oneLine = anyBytes.map((text) => `x${text.replaceAll('\n', '')}`)
const extras = fc
  .array(
    fc.tuple(
      anyBytes.map((key) => `k${key.replaceAll(':', '')}`),
      anyBytes,
    ),
    { maxLength: 5 },
  )
  .map((items) => new Map(items))
const hex = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((node) => Buffer.from(node).toString('hex'))
const changesets: fc.Arbitrary<Changeset> = fc.record({
  manifestHex: hex,
  user: oneLine,
  time: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
  timezoneSeconds: fc.integer({ min: -50_400, max: 50_400 }),
  extra: extras,
  files: fc.array(oneLine, { maxLength: 6 }),
  description: anyBytes,
})

describe('changesets', () => {
  test('every changeset is read back as it was written, whatever its bytes', () => {
    fc.assert(
      fc.property(changesets, (changeset) => {
        expect(parseChangeset(serializeChangeset(changeset))).toEqual(changeset)
      }),
    )
  })

  test('the text is the one that Mercurial stores', () => {
    const text =
      'ec30b5ba0184ff3f83b0147d5b361d7fa276bec3\nJos\xc3\xa9 <j@x>\n1700000000 -7200 branch:stab\nf\ng\n\nzwei\nmore'
    const changeset = parseChangeset(bytesOf(text))
    expect(changeset).toEqual({
      manifestHex: 'ec30b5ba0184ff3f83b0147d5b361d7fa276bec3',
      user: 'Jos\xc3\xa9 <j@x>',
      time: 1_700_000_000,
      timezoneSeconds: -7200,
      extra: new Map([['branch', 'stab']]),
      files: ['f', 'g'],
      description: 'zwei\nmore',
    })
    expect(decodeByteString(changeset.user)).toBe('José <j@x>')
    expect(branchOf(changeset)).toBe('stab')
    expect(byteString(serializeChangeset(changeset))).toBe(text)
  })

  test('a changeset without files has an empty line where they would be', () => {
    const text = `${'0'.repeat(40)}\nu\n0 0\n\nd\n\ne`
    const changeset = parseChangeset(bytesOf(text))
    expect([changeset.files, changeset.description]).toEqual([[], 'd\n\ne'])
    expect(byteString(serializeChangeset(changeset))).toBe(text)
  })

  test('the empty text is the null changeset on the default branch', () => {
    expect(parseChangeset(new Uint8Array(0))).toBe(NULL_CHANGESET)
    expect(branchOf(NULL_CHANGESET)).toBe('default')
  })

  test('a date may have fractions, and a zone that is no number counts as none', () => {
    const dated = (date: string) => parseChangeset(bytesOf(`${'0'.repeat(40)}\nu\n${date}\n\nd`))
    expect(dated('1157407993.025200 -7200').time).toBe(1157407993.0252)
    expect(dated('5 zone').timezoneSeconds).toBe(0)
    expect(dated('5')).toMatchObject({ time: 5, timezoneSeconds: 0 })
  })

  test('a text that ends too early is corrupt', () => {
    for (const text of ['x', 'x\ny', 'x\ny\n1 2', 'x\ny\n1 2\nf\n', 'x\ny\nnever 0\n\nd']) {
      expect(codeOf(() => parseChangeset(bytesOf(text)))).toBe('corrupt')
    }
  })

  test('what the format cannot hold is refused', () => {
    for (const wrong of [{ user: '' }, { user: 'a\nb' }, { files: [''] }, { files: ['a\nb'] }]) {
      expect(codeOf(() => serializeChangeset({ ...NULL_CHANGESET, user: 'u', ...wrong }))).toBe(
        'usage',
      )
    }
  })
})

describe('extras', () => {
  test('every map is read back as it was written, on one line', () => {
    fc.assert(
      fc.property(extras, (extra) => {
        const text = serializeExtra(extra)
        expect(text).not.toMatch(/[\n\r]/)
        expect(parseExtra(text)).toEqual(extra)
      }),
    )
  })

  test('items are sorted by key and their special characters escaped', () => {
    const extra = new Map([
      ['source', 'a:b'],
      ['branch', 'back\\slash\nline\rreturn\0nul'],
    ])
    expect(serializeExtra(extra)).toBe('branch:back\\\\slash\\nline\\rreturn\\0nul\0source:a:b')
  })

  test('an item without a colon is corrupt, a key with one is refused', () => {
    expect(codeOf(() => parseExtra('nothing'))).toBe('corrupt')
    expect(codeOf(() => serializeExtra(new Map([['a:b', 'c']])))).toBe('usage')
  })
})

describe('byte strings', () => {
  test('bytes survive, text in UTF-8 is decoded, and anything else is Latin-1', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(Buffer.compare(bytesOf(byteString(bytes)), bytes)).toBe(0)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeByteString(utf8ByteString(text))).toBe(text)
      }),
    )
    expect(decodeByteString('J\xf6rg')).toBe('Jörg')
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
