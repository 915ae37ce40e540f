import { csvFormat } from '@assay/report'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aSample, aUsage } from '../../support/builders.ts'
import { measuredReport } from './measured-report.ts'
import { constant, reportOf } from './report-of.ts'

/** A reader of RFC 4180, written from the document and not from the writer. */
const readCsv = (text: string): string[][] => {
  const lines: string[][] = [['']]
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at)
    const line = lines.at(-1) ?? []
    const add = (more: string): void => {
      line.push(`${line.pop() ?? ''}${more}`)
    }
    if (quoted && mark === '"' && text.charAt(at + 1) === '"') {
      add('"')
      at += 1
    } else if (mark === '"') quoted = !quoted
    else if (quoted) add(mark)
    else if (mark === ',') line.push('')
    else if (text.startsWith('\r\n', at)) {
      lines.push([''])
      at += 1
    } else add(mark)
  }
  return lines.slice(0, -1)
}

const small = (label: string, stderr = '') => {
  const report = reportOf([
    {
      headings: { 'benchmark.name': label, take: '-1' },
      rows: [
        { label, values: constant(1) },
        { label: 'new', values: constant(2) },
      ],
    },
  ])
  const placed = { take: 2, round: 3, warmup: true }
  const usage = aUsage({ wallSeconds: 1e-7, peakRssBytes: null })
  const samples = [
    { ...aSample({ cellId: 'b1.c1', usage, stderr, metrics: { heap: -5 } }), ...placed },
    { ...aSample({ cellId: 'b1.c2' }), ...placed },
  ]
  return { report, details: { samples } }
}

describe('csv', () => {
  test('has a header and one line for every sample, of all takes and outcomes', async () => {
    const { report, details } = measuredReport()
    const lines = readCsv(csvFormat.render(report, {}, details))
    const [head = []] = lines
    expect(lines).toHaveLength(details.samples.length + 1)
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([head.length]))
    expect(new Set(head).size).toBe(head.length)
    const outcomes = lines.map((line) => line[head.indexOf('outcome')])
    expect(outcomes.filter((outcome) => outcome === 'failed').length).toBeGreaterThan(5)
    const two = { samples: details.samples.slice(0, 2) }
    await expect(csvFormat.render(report, {}, two)).toMatchFileSnapshot(
      '../../golden/reports/measured.csv',
    )
  })

  test('keeps numbers exact and says nothing where nothing is known', () => {
    const { report, details } = small('old')
    const [head = [], line = [], other = []] = readCsv(csvFormat.render(report, {}, details))
    const at = (of: readonly string[], name: string) => of[head.indexOf(name)]
    expect(at(line, 'wallSeconds')).toBe('1e-7')
    expect(at(line, 'peakRssBytes')).toBe('')
    expect(at(line, 'metrics.heap')).toBe('-5')
    expect(at(other, 'metrics.heap')).toBe('')
    expect(at(line, 'take')).toBe('2')
    expect(at(line, 'headings.take')).toBe("'-1")
  })

  test('brings any text back, and none starts like a formula', () => {
    const { report, details } = small('=HYPERLINK("x")')
    expect(csvFormat.render(report, {}, details)).toContain(`"'=HYPERLINK(""x"")"`)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (label, stderr) => {
        const { report, details } = small(label, stderr)
        const [head = [], line = []] = readCsv(csvFormat.render(report, {}, details))
        for (const [name, text] of [
          ['label', label],
          ['stderr', stderr],
        ] as const) {
          const read = line[head.indexOf(name)] ?? ''
          expect([text, `'${text}`]).toContain(read)
          expect(read).not.toMatch(/^[=+\-@\t\r]/)
        }
      }),
    )
  })

  test('without samples is refused: an empty table would say that there are none', () => {
    expect(() => csvFormat.render(small('old').report)).toThrow('none were handed in')
  })
})
