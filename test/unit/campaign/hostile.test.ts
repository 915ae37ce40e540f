/** Texts that nobody means well with: each comes back as diagnostics, nothing throws or leaks. */
import { formatDiagnostic, parseCampaign } from '@assay/campaign'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const codesOf = (text: string): readonly string[] => {
  const parsed = parseCampaign(text, { file: 'x.yaml', catalogue })
  return parsed.ok ? ['ok'] : [...new Set(parsed.diagnostics.map(({ code }) => code))]
}
const valid = 'compare: { mode: [no-mmap, mmap-populate] }\nbenchmarks: [hg.command.log]\n'

const laughs = (levels: number): string =>
  [
    'a0: &a0 [x, x]',
    ...Array.from(
      { length: levels },
      (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}]`,
    ),
    '',
  ].join('\n')

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('polluted' in {}).toBe(false)
})

const hostile: readonly (readonly [string, string, readonly string[]])[] = [
  ['an alias bomb', laughs(40) + valid, ['unknown-key', 'anchor']],
  ['half a million brackets', '['.repeat(500_000), ['file-too-large']],
  ['ten thousand brackets', '['.repeat(10_000), ['too-deep']],
  ['ten thousand nested lists', '- '.repeat(10_000), ['too-deep']],
  ['nested question marks', '? '.repeat(10_000), ['too-deep']],
  [
    'a deep staircase of maps',
    Array.from({ length: 900 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    ['too-deep'],
  ],
  ['more than a MiB', `${valid}# ${'x'.repeat(1_048_576)}`, ['file-too-large']],
  ['more than a MiB of UTF-8', `${valid}# ${'é'.repeat(600_000)}`, ['file-too-large']],
  ['commas', `a: [${','.repeat(25_000)}]`, ['yaml-unexpected-token']],
  ['closing braces', '}'.repeat(25_000), ['yaml-unexpected-token']],
  [
    'many equal keys',
    Array.from({ length: 4_000 }, () => 'a: 1').join('\n'),
    ['unknown-key', 'missing-key', 'duplicate-key', 'too-many-faults'],
  ],
  ['a million spaces', ' '.repeat(1_000_000), ['empty-file']],
  ['a million line breaks', `${'\n'.repeat(1_000_000)}a`, ['file-too-large']],
  ['a prototype', `__proto__: { polluted: yes }\n${valid}`, ['reserved-key']],
  [
    'a prototype in a section',
    `${valid}exclude: [{ __proto__: { polluted: yes } }]\n`,
    ['reserved-key', 'empty'],
  ],
  ['a constructor', `constructor: { prototype: { polluted: yes } }\n${valid}`, ['unknown-key']],
  [
    'names of object properties',
    'compare: { toString: [a] }\nbenchmarks: [valueOf, { name: hg.command.log, with: { hasOwnProperty: x } }]\n',
    ['unknown-name', 'unknown-key'],
  ],
  ['a function tag', `${valid}name: !!js/function "x"\n`, ['yaml-tag-resolve-failed']],
  ['a directive', `%YAML 1.1\n---\n${valid}`, ['ok']],
]

describe('a hostile text', () => {
  it.each(hostile.map(([name, text, codes]) => ({ name, text, codes })))(
    '$name is answered by a code',
    ({ text, codes }) => {
      expect([...codesOf(text)].sort()).toEqual([...codes].sort())
    },
  )

  it('may have more selections than can be tried on every cell', () => {
    const selections = Array.from({ length: 101 }, () => '{ mode: no-mmap }').join(', ')
    expect(codesOf(`${valid}exclude: [${selections}]\n`)).toEqual(['too-many-selections'])
  })

  it('may multiply beyond all bounds: it is counted, not expanded', () => {
    const names = Array.from({ length: 300 }, (_, at) => `p${at}`)
    const text = `compare: { mode: [no-mmap] }
benchmarks:
  - name: exec
    command: ["\${mode}", ${names.map((name) => `"\${${name}}"`).join(', ')}]
    with: { ${names.map((name) => `${name}: [a, b, c]`).join(', ')} }
`
    const parsed = parseCampaign(text, { file: 'x.yaml', catalogue })
    expect(parsed.ok ? [] : parsed.diagnostics.map(formatDiagnostic)).toEqual([
      'x.yaml:2:1: the campaign has about 10^143 cells and at most 100000 are taken; list fewer levels, or split it',
    ])
  })
})

const pieces = [
  ...['compare', 'mode', 'benchmarks', 'engines', 'datasets', 'exclude', 'sampling', 'verdict'],
  ...['hg.command.log', 'no-mmap', 'with', 'name', 'patch', 'revlog', 'hg', 'generate', 'rounds'],
  ...[
    '__proto__',
    'constructor',
    '1%',
    '20..60',
    'exec',
    'command',
    '$'.concat('{mode}'),
    'flavor',
    'dataset',
  ],
  ...[': ', ':', '\n', '\n  ', '\n- ', '- ', '{', '}', '[', ']', ', ', '"', "'", '&a', '*a', '<<'],
  ...['!!x', '#', '|', '>', '%', '\t', '---', '? ', '~', '\r\n', '\u0000', '\uFEFF', '\u2028'],
]

describe('any text', () => {
  it('is a campaign or has diagnostics that lie in the text, sorted, on one line each', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
      fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...pieces)).map(([at, skipped, piece]) => {
        const start = at % valid.length
        return valid.slice(0, start) + piece + valid.slice(start + (skipped % 12))
      }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseCampaign(text, { file: 'x.yaml', catalogue })
        if (parsed.ok) return
        const lines = text.split('\n')
        expect(parsed.diagnostics.length).toBeGreaterThan(0)
        let before = 0
        for (const { line, column, code, message } of parsed.diagnostics) {
          expect(column - 1).toBeLessThanOrEqual(lines[line - 1]?.length ?? -1)
          expect(code).toMatch(/^[a-z0-9-]+$/)
          expect(message).toMatch(/^[^\n\r]+$/)
          expect(line * 10_000 + column).toBeGreaterThanOrEqual(before)
          before = line * 10_000 + column
        }
      }),
      { numRuns: 600 },
    )
  })
})
