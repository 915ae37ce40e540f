/** The text of file revisions. */
import { byteString, bytesOf, parseFileText, RevlogError, serializeFileText } from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const words = fc.string({ unit: fc.constantFrom('a', 'b', '/', ' ', '\xe9', '.'), maxLength: 12 })
const metadata = fc
  .array(fc.tuple(fc.constantFrom('copy', 'copyrev', 'censored', 'other'), words), { maxLength: 3 })
  .map((items) => new Map(items))
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Uint8Array.from([1, 10, ...bytes])),
)

describe('file texts', () => {
  test('every content and its metadata are read back as they were written', () => {
    fc.assert(
      fc.property(metadata, contents, (map, content) => {
        const read = parseFileText(serializeFileText({ metadata: map, content }))
        expect(read.metadata).toEqual(map)
        expect(Buffer.compare(read.content, content)).toBe(0)
      }),
    )
  })

  test('a copy is stored as Mercurial stores it', () => {
    const text =
      '\x01\ncopy: old name\ncopyrev: 2c186c8c5bc0df5af5b951afe407d803f9e6b8c9\n\x01\nhello\n'
    const read = parseFileText(bytesOf(text))
    expect([...read.metadata]).toEqual([
      ['copy', 'old name'],
      ['copyrev', '2c186c8c5bc0df5af5b951afe407d803f9e6b8c9'],
    ])
    expect(byteString(read.content)).toBe('hello\n')
    expect(byteString(serializeFileText(read))).toBe(text)
  })

  test('plain content is stored as it is', () => {
    const content = bytesOf('hello')
    expect(serializeFileText({ metadata: new Map(), content })).toBe(content)
  })

  test('content that looks like metadata gets an empty block in front', () => {
    const content = bytesOf('\x01\nnot: metadata\n')
    const text = serializeFileText({ metadata: new Map(), content })
    expect(byteString(text)).toBe('\x01\n\x01\n\x01\nnot: metadata\n')
  })

  test('damaged metadata is corrupt, impossible metadata refused', () => {
    expect(codeOf(() => parseFileText(bytesOf('\x01\ncopy: a\n')))).toBe('corrupt')
    expect(codeOf(() => parseFileText(bytesOf('\x01\nnothing\n\x01\n')))).toBe('corrupt')
    const content = bytesOf('')
    for (const [key, value] of [
      ['', 'a'],
      ['a: b', 'c'],
      ['a', 'b\nc'],
    ] as const) {
      expect(codeOf(() => serializeFileText({ metadata: new Map([[key, value]]), content }))).toBe(
        'usage',
      )
    }
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
