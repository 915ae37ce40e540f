import { parseReportText, readReportText } from '@assay/report'
import { describe, expect, test } from 'vitest'
import { mmapByDefault, populate, printed } from './printed-comparisons.ts'

const verbatim = (blocks: typeof printed): string =>
  blocks.flatMap((block) => block.verbatim).join('\n')

const messages = Object.entries(
  Object.fromEntries(
    printed.map(({ source }) => [source, printed.filter((block) => block.source === source)]),
  ),
)

describe('messages that people edited', () => {
  test.each(messages)('%s reads as its blocks, headings inherited', (_, blocks) => {
    const read = readReportText(verbatim(blocks))
    expect(read.blocks.map((block) => block.headings)).toEqual(blocks.map(({ headers }) => headers))
    expect(
      read.blocks.flatMap(({ rows }) => rows.map(({ label, value }) => [label, value])),
    ).toEqual(
      blocks.flatMap(({ rows }) =>
        rows.flatMap(({ label, seconds }) => (seconds === null ? [] : [[label, seconds]])),
      ),
    )
  })

  test.each(['inf', 'NaN', '0.3 s', '-', 'n/a', '1,5'])(
    'a row of %j is no row, and said',
    (value) => {
      const text = `# benchmark.name = a\nold: 0.200000\nnew: ${value}\n\nSee: below\n`
      expect(readReportText(text).faults).toMatchObject([{ line: 3, text: `new: ${value}` }])
    },
  )

  test('prose below a table is passed over', () => {
    const text =
      '# benchmark.name = a\nold: 0.200000\nNote: this was measured on a quiet host.\n\nSee: below\n'
    expect(readReportText(text)).toMatchObject({ blocks: [{ rows: [{}] }], faults: [] })
  })

  test('a garbled number is an error that names its line', () => {
    const text = verbatim(mmapByDefault)
    const line = text.split('\n').indexOf('no-populate: 0.cbd4c9 (+11.71%, +0.03)') + 1
    expect(line).toBeGreaterThan(1)
    expect(readReportText(text).faults).toEqual([
      {
        line,
        text: 'no-populate: 0.cbd4c9 (+11.71%, +0.03)',
        problem: 'not a number that can be read',
      },
    ])
    expect(() => parseReportText(text)).toThrow(`report:${line}: not a number that can be read`)
  })

  test('change and difference are read where they are printed', () => {
    const rows = parseReportText(verbatim(populate)).flatMap((block) => block.rows)
    expect(rows[1]).toMatchObject({ value: 0.265087, changePercent: 10.38, difference: 0.02 })
    expect(rows.find(({ value }) => value === 1.205189)).toMatchObject({ changePercent: null })
  })

  test('prose between tables and prose headings are passed over', () => {
    const text = [
      'For mozilla-try: the "slow down" is visible (below 4.5%): see below',
      '#### For Mozilla',
      '# What did I run',
      '  # benchmark.name = hg.command.log',
      '',
      'with-populate: 0.237813',
      'On netbeans, the log can be about 1% faster (for a difference < 100ms)',
      '- mercurial: a copy from 2018-08-01 using zstd',
      'no-populate: 0.229452 (-3.52%, -0.01)',
    ].join('\r\n')
    const read = readReportText(text)
    expect(read.faults).toEqual([])
    expect(read.blocks.map(({ rows }) => rows.map(({ line }) => line))).toEqual([[6, 9]])
  })

  test('a heading that a web page broke in two is joined, and lines keep their numbers', () => {
    const text = '# benchmark.variants.\nissue6528 = disabled\nold: 1.000000\nnew: 1.O00000'
    const { blocks, faults } = readReportText(text)
    expect(blocks[0]).toMatchObject({
      line: 3,
      headings: { 'benchmark.variants.issue6528': 'disabled' },
    })
    expect(faults.map(({ line }) => line)).toEqual([4])
  })

  test.each([
    ['old: 1.760765 ~~~~~', null, null],
    ['old: 1.760765 seconds', null, null],
    ['old: 1.760765 seconds (-8.18%)', -8.18, null],
    ['old: 1.760765 (-8.18%) seconds', -8.18, null],
    ['old: 1.760765 (+8.18%, -0.00)', 8.18, -0],
  ])('%s is a row', (line, changePercent, difference) => {
    const [row] = parseReportText(line)[0]?.rows ?? []
    expect(row).toMatchObject({ label: 'old', value: 1.760765, changePercent, difference })
  })

  test.each(['old: 1.76.0765', 'old: 0,265087', 'old: 0.26508 7 (+1.00%, +0.02)', 'old: 1.7e'])(
    '%s is garbled',
    (line) => {
      expect(() => parseReportText(`# benchmark.name = x\n${line}`)).toThrow('report:2')
    },
  )
})
