import type { Report } from '@assay/model'
import { fullFormat, type HeadingStyle, parseReportText, readReportText } from '@assay/report'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksOf, mmapByDefault, populate, printed } from './printed-comparisons.ts'
import { type BlockOf, constant, reportOf } from './report-of.ts'

const table = { verdicts: false } as const
const golden = (name: string): string => `../../golden/reports/${name}.txt`
const headings = { 'benchmark.name': 'exec' }

const linesOf = (report: Report, hideBelow?: number): string[] =>
  fullFormat
    .render(report, { ...table, ...(hideBelow === undefined ? {} : { hideBelow }) })
    .trimEnd()
    .split('\n')

const lineOf = (baseline: number, candidate: number, hideBelow?: number): string | undefined =>
  linesOf(
    reportOf([
      {
        headings,
        rows: [
          { label: 'old', values: constant(baseline) },
          { label: 'new', values: constant(candidate) },
        ],
      },
    ]),
    hideBelow,
  ).at(-1)

describe('rows', () => {
  const strict = printed.flatMap(({ rows }) =>
    rows.filter((row) => row.strict).map((row) => ({ raw: row.raw, baseline: rows[0], row })),
  )

  test('there are 33 printed rows to agree with', () => {
    expect(strict).toHaveLength(33)
  })

  test.each(strict)('prints $raw byte for byte', ({ raw, baseline, row }) => {
    const report = reportOf([
      {
        headings,
        rows: [
          { label: baseline?.label ?? '', values: constant(baseline?.seconds ?? 0) },
          { label: row.label, values: constant(row.seconds ?? 0) },
        ],
      },
    ])
    expect(linesOf(report).at(-1)).toBe(raw)
  })

  test('keeps the sign of a negative zero and prints a true zero as positive', () => {
    expect(lineOf(0.198607, 0.195038)).toBe('new: 0.195038 (-1.80%, -0.00)')
    expect(lineOf(1, 1, 0)).toBe('new: 1.000000 (+0.00%, +0.00)')
  })

  test('a verdict on a row without any heading stands alone', () => {
    const rows = [
      { label: 'old', values: constant(1) },
      { label: 'new', values: constant(2) },
    ]
    expect(fullFormat.render(reportOf([{ headings: {}, rows }]))).toContain('\n; regression\n')
  })

  test('rounds ties to even, as C does', () => {
    expect(lineOf(0.5, 0.625)).toBe('new: 0.625000 (+25.00%, +0.12)')
    expect(lineOf(0.5, 0.875)).toBe('new: 0.875000 (+75.00%, +0.38)')
    expect(lineOf(0.5, 0.375)).toBe('new: 0.375000 (-25.00%, -0.12)')
  })

  test('writes out what is too large for toFixed', () => {
    expect(lineOf(1, 1e22)).toContain('new: 10000000000000000000000.000000 (+')
  })

  test('leaves the parenthesis out below the chosen change, by the unrounded value', () => {
    expect(lineOf(1, 1.009999)).toBe('new: 1.009999')
    expect(lineOf(1, 1.0101)).toBe('new: 1.010100 (+1.01%, +0.01)')
    expect(lineOf(1, 1.0101, 0.02)).toBe('new: 1.010100')
  })

  test('rows without a value say why, on one line; rows without a baseline print the number alone', () => {
    const report = reportOf([
      {
        headings,
        rows: [
          { label: 'old', values: [], status: 'failed', reason: 'exit 255:\n  abort: (no) repo' },
          { label: 'new', values: constant(2) },
          { label: 'rust', values: [], status: 'unsupported', reason: 'no rust here' },
          { label: 'later', values: [], status: 'queued' },
        ],
      },
    ])
    expect(linesOf(report).slice(1)).toEqual([
      'old: failed (exit 255: abort: (no) repo)',
      'new: 2.000000',
      'rust: unsupported (no rust here)',
      'later: not measured (not measured yet)',
    ])
  })

  test('self-checks are not part of the table, and another unit than seconds is said', () => {
    const report = reportOf(
      [
        {
          headings,
          rows: [
            { label: 'old', values: constant(2) },
            { label: 'old', role: 'self-check', values: constant(2) },
          ],
        },
      ],
      { unit: 'bytes' },
    )
    expect(linesOf(report)).toEqual([
      '; metric: wallSeconds in bytes',
      '# benchmark.name = exec',
      'old: 2.000000',
    ])
  })

  test('seconds that are not those of the clock are said too, or they would be read as such', () => {
    const report = reportOf([{ headings, rows: [{ label: 'old', values: constant(2) }] }])
    const metric = { name: 'userSeconds', unit: 'seconds' }
    expect(linesOf({ ...report, metric })[0]).toBe('; metric: userSeconds in seconds')
    expect(linesOf(report)[0]).toBe('# benchmark.name = exec')
  })
})

describe('tables', () => {
  const campaigns = [
    ['mmap-populate-by-default', populate],
    ['mmap-by-default', mmapByDefault],
  ] as const

  describe.each(campaigns)('%s', (name, blocks) => {
    const report = reportOf(blocksOf(blocks))

    test.each(['full', 'compact'] as const)('prints %s as recorded', async (style) => {
      const text = fullFormat.render(report, { ...table, style })
      await expect(text).toMatchFileSnapshot(golden(`${name}.${style}`))
    })

    test.each(['full', 'compact'] as const)('%s reads back as the same blocks', (style) => {
      const text = fullFormat.render(report, { style })
      expect(reprinted(text, style)).toBe(fullFormat.render(report, { ...table, style }))
      const read = parseReportText(text)
      expect(read.map((block) => block.headings)).toEqual(blocks.map(({ headers }) => headers))
      expect(read.map(({ rows }) => rows.map(({ label, value }) => [label, value]))).toEqual(
        blocksOf(blocks).map(({ rows }) => rows.map(({ label, values }) => [label, values[0]])),
      )
    })

    test('full repeats every key above each block', () => {
      const lines = fullFormat.render(report, table).split('\n')
      const keys = blocks.reduce((sum, { headers }) => sum + Object.keys(headers).length, 0)
      expect(lines.filter((line) => line.startsWith('#')).length).toBe(keys)
    })

    test('compact is shorter, and has the lines of the message that people edited', () => {
      const compact = fullFormat.render(report, { ...table, style: 'compact' })
      expect(compact.length).toBeLessThan(fullFormat.render(report, table).length * 0.75)
      const rows = blocks.flatMap((block) => block.rows.filter((row) => row.strict))
      for (const { raw } of rows) expect(compact.split('\n')).toContain(raw)
    })
  })

  test('a variant that goes away under the same benchmark has the benchmark named again', () => {
    const rows = [{ label: 'old', values: constant(1) }]
    const report = reportOf([
      { headings: { ...headings, 'benchmark.variants.a': '1', 'benchmark.variants.b': '1' }, rows },
      { headings: { ...headings, 'benchmark.variants.a': '1' }, rows },
    ])
    const text = fullFormat.render(report, { ...table, style: 'compact' })
    expect(text.split('\n').slice(4)).toEqual([
      '# benchmark.name = exec',
      '# benchmark.variants.a = 1',
      'old: 1.000000',
      '',
    ])
  })

  test('a binary key that goes away is set to nothing', () => {
    const rows = [{ label: 'old', values: constant(1) }]
    const report = reportOf([
      { headings: { ...headings, 'bin-env-vars.hg.flavor': 'rust' }, rows },
      { headings, rows },
    ])
    const text = fullFormat.render(report, { ...table, style: 'compact' })
    expect(text).toContain('\n# bin-env-vars.hg.flavor =\n')
    expect(parseReportText(text)[1]?.headings).toEqual(headings)
  })
})

describe('verdicts', () => {
  const rows = (candidate: number[]) => [
    { label: 'with-populate', values: constant(1) },
    { label: 'no-populate', values: candidate },
  ]
  const spread = Array.from({ length: 20 }, (_, index) => 0.9 + 0.012 * index)
  const of = (revs: string) => ({ ...headings, 'benchmark.variants.revs': revs })
  const report = reportOf([
    { headings: of('1'), rows: rows(constant(1.002)) },
    { headings: of('2'), rows: rows(spread) },
    { headings: of('3'), rows: rows(constant(1.1)) },
    { headings: of('4'), rows: rows(constant(0.9).slice(0, 18)) },
  ])

  test('follow the table, worst first, as recorded', async () => {
    await expect(fullFormat.render(report)).toMatchFileSnapshot(golden('verdicts'))
  })

  test('say which self-check gave the noise floor', () => {
    const selfCheckOf = (name: string, ratio: number) => ({
      headings: { 'benchmark.name': name },
      rows: [
        { label: 'old', values: constant(1) },
        { label: 'again', role: 'self-check' as const, values: constant(ratio) },
      ],
    })
    const blocks = [selfCheckOf('a', 1.001), selfCheckOf('b', 0.995), selfCheckOf('c', 1)]
    const text = fullFormat.render(reportOf(blocks), {})
    expect(text).toMatch(/^; self-checks.*: 3, noise floor 0\.50 %, that of b$/m)
  })

  test('count the self-checks that were measured, not those that could not be', () => {
    const again = (values: number[], status?: 'unsupported') => ({
      ...{ label: 'again', role: 'self-check' as const, values },
      ...(status === undefined ? {} : { status }),
    })
    const text = fullFormat.render(
      reportOf([
        { headings: of('1'), rows: [...rows(constant(1)), again(constant(1))] },
        { headings: of('2'), rows: [...rows(constant(1)), again([], 'unsupported')] },
      ]),
    )
    expect(text).toContain('; self-checks, the baseline against itself: 1, too few')
  })

  test('are lines that the reader passes over', () => {
    expect(readReportText(fullFormat.render(report))).toEqual({
      blocks: parseReportText(fullFormat.render(report, table)),
      faults: [],
    })
  })

  test('can be left out', () => {
    expect(fullFormat.render(report, table)).not.toContain(';')
  })
})

const word = fc.oneof(
  fc.constantFrom(
    'a',
    'tip',
    'any-1-extra-rev',
    '',
    ' ',
    '"',
    '"q"',
    '# x',
    '; x',
    'a: b',
    'a:',
    'x.',
    '10',
    '-',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const key = fc.oneof(
  fc.constantFrom('data-env-vars.name', 'bin-env-vars.hg.flavor', 'bin-env-vars.hg.x', 'host.x'),
  word.map((name) => `benchmark.variants.${name}`),
  fc.constantFrom('benchmark.variants.a', 'benchmark.variants.b'),
)
const block = fc.record({
  headings: fc
    .tuple(fc.dictionary(key, word, { maxKeys: 5 }), fc.option(fc.constantFrom('log', 'push', '')))
    .map(([levels, name]) => (name === null ? levels : { ...levels, 'benchmark.name': name }))
    .filter((levels) => Object.keys(levels).length > 0),
  rows: fc.array(
    fc.record({
      label: word,
      values: fc.constantFrom(1, 1.5, 0.000001, 123456.789).map(constant),
      status: fc.constantFrom('measured', 'measured', 'failed', 'unsupported', 'queued'),
      reason: fc.constantFrom('exit 1', 'x: 0.5 (+1.00%)', '(a) (b)'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

/** What was read of a text, as the report that would print it. */
const reprinted = (text: string, style: HeadingStyle): string => {
  const blocks = parseReportText(text).map(
    ({ headings: read, rows }): BlockOf => ({
      headings: read,
      rows: rows.map(({ label, value, state, reason }) => ({
        label,
        values: value === null ? [] : constant(value),
        status: state === 'not measured' ? 'queued' : state,
        ...(reason === null ? {} : { reason }),
      })),
    }),
  )
  return fullFormat.render(reportOf(blocks), { ...table, style })
}

test.each(['full', 'compact'] as const)(
  'whatever is printed %s can be read back, and prints the same',
  (style) => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const report = reportOf(blocks)
        const text = fullFormat.render(report, { style })
        expect(reprinted(text, style)).toBe(fullFormat.render(report, { ...table, style }))
        const read = parseReportText(text)
        expect(read.map((one) => one.headings)).toEqual(blocks.map((one) => ({ ...one.headings })))
        expect(
          read.map(({ rows }) => rows.map(({ label, value, state }) => ({ label, value, state }))),
        ).toEqual(
          report.blocks.map(({ rows }) =>
            rows.map(({ label, summary, status }) => ({
              label,
              value: summary === null ? null : Number(summary.median.toFixed(6)),
              state: summary !== null ? 'measured' : status === 'queued' ? 'not measured' : status,
            })),
          ),
        )
      }),
      { numRuns: 100 },
    )
  },
)
