import { applyDeltas, computeDelta } from '@assay/revlog'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const text = (content: string): Uint8Array => Buffer.from(content, 'latin1')

/** Texts of a few different lines, so that two of them share much. */
const fewLines = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'long line of text\n', '\n', 'no newline'), {
    maxLength: 60,
  })
  .map((lines) => text(lines.join('')))
const anyBytes = fc.uint8Array({ maxLength: 200 })
const anyText = fc.oneof(fewLines, anyBytes)

const sameBytes = (a: Uint8Array, b: Uint8Array): void => {
  expect(Buffer.compare(a, b)).toBe(0)
}

describe('computeDelta and applyDeltas', () => {
  it('applying the delta of two texts to the first gives the second', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, target) => {
        sameBytes(applyDeltas(base, [computeDelta(base, target)]), target)
      }),
      { numRuns: 2000 },
    )
  })

  it('a chain of deltas gives each text in turn', () => {
    fc.assert(
      fc.property(anyText, fc.array(anyText, { maxLength: 6 }), (base, targets) => {
        const deltas = targets.map((target, at) => computeDelta(targets[at - 1] ?? base, target))
        sameBytes(applyDeltas(base, deltas), targets.at(-1) ?? base)
      }),
    )
  })

  it('the result of one call is not overwritten by the next', () => {
    const [one, two, three] = [text('one\n'), text('two\n'), text('three\n')]
    const deltas = [computeDelta(one, two), computeDelta(two, three)]
    const first = applyDeltas(one, deltas)
    applyDeltas(three, [computeDelta(three, one), computeDelta(one, two), computeDelta(two, one)])
    sameBytes(first, three)
  })

  it('a line that is inserted, changed or removed costs one hunk of that line', () => {
    const lines = Array.from({ length: 2000 }, (_, at) => `path/${at}\n`)
    const base = text(lines.join(''))
    const changed = text(lines.with(1000, 'path/new\n').join(''))
    const inserted = text(lines.toSpliced(1000, 0, 'path/new\n').join(''))
    const removed = text(lines.toSpliced(1000, 1).join(''))
    expect(computeDelta(base, changed)).toHaveLength(12 + 9)
    expect(computeDelta(base, inserted)).toHaveLength(12 + 9)
    expect(computeDelta(base, removed)).toHaveLength(12)
  })

  it('scattered changes among lines that repeat cost only what changed', () => {
    const lines: string[] = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? '}\n' : '{\n'))
    const base = text(lines.join(''))
    const target = text(lines.with(50, 'x\n').with(200, 'y\n').with(350, 'z\n').join(''))
    expect(computeDelta(base, target)).toHaveLength(3 * (12 + 2))
  })

  it('a delta starts and ends at lines', () => {
    fc.assert(
      fc.property(fewLines, fewLines, (base, target) => {
        const delta = Buffer.from(computeDelta(base, target))
        for (let at = 0; at < delta.length; at += 12 + delta.readUInt32BE(at + 8)) {
          for (const edge of [delta.readUInt32BE(at), delta.readUInt32BE(at + 4)]) {
            expect(edge === 0 || edge === base.length || base[edge - 1] === 0x0a).toBe(true)
          }
        }
      }),
    )
  })

  it('equal texts have an empty delta, and an empty delta changes nothing', () => {
    const base = text('one\ntwo\n')
    expect(computeDelta(base, text('one\ntwo\n'))).toHaveLength(0)
    sameBytes(applyDeltas(base, [new Uint8Array(0)]), base)
  })
})

describe('applyDeltas on damaged deltas', () => {
  const hunk = (start: number, end: number, length: number, data = ''): Uint8Array => {
    const head = Buffer.alloc(12)
    head.writeUInt32BE(start, 0)
    head.writeUInt32BE(end, 4)
    head.writeUInt32BE(length, 8)
    return Buffer.concat([head, Buffer.from(data)])
  }
  const base = text('0123456789')

  it.each([
    ['a hunk past the end of the text', hunk(0, 11, 0)],
    ['a hunk that ends before it starts', hunk(5, 4, 0)],
    ['hunks out of order', Buffer.concat([hunk(5, 6, 0), hunk(4, 7, 0)])],
    ['data that is cut short', hunk(0, 1, 5, 'abc')],
    ['a head that is cut short', hunk(0, 1, 0).subarray(0, 11)],
    ['a length of 4 GB', hunk(0, 1, 0xffff_ffff)],
  ])('refuses %s', (_what, delta) => {
    expect(() => applyDeltas(base, [delta])).toThrow(expect.objectContaining({ code: 'corrupt' }))
  })

  it('never fails in another way, whatever the bytes', () => {
    fc.assert(
      fc.property(anyText, fc.uint8Array({ maxLength: 60 }), (some, delta) => {
        try {
          applyDeltas(some, [delta])
        } catch (error) {
          expect(error).toMatchObject({ code: 'corrupt' })
        }
      }),
    )
  })
})
