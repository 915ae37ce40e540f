import { formatNamed, readReportText } from '@assay/report'
import { describe, expect, test } from 'vitest'
import { reportOf } from './report-of.ts'

const around = (value: number): number[] =>
  Array.from({ length: 20 }, (_, at) => value * (1 + 0.0002 * ((at % 5) - 2)))
const of = (baseline: number, candidate: number, metric = 'wallSeconds') =>
  reportOf(
    [
      {
        headings: { 'benchmark.name': 'exec' },
        rows: [
          { label: 'old', values: around(baseline) },
          { label: 'new', values: around(candidate) },
        ],
      },
    ],
    { unit: metric.endsWith('Bytes') ? 'bytes' : 'seconds' },
  )
const printed = (name: string, report = of(2.4e-6, 2.41e-6)): string =>
  formatNamed(name).render(report, {}, { samples: [] })

describe('times too short for six decimals', () => {
  test('keep their format in the table, and are said in a unit that fits below it', () => {
    const text = printed('full')
    expect(text).toContain('\nold: 0.000002\nnew: 0.000002')
    expect(text).toMatch(/^; unchanged: exec$/m)
    expect(text).toMatch(/^; {5}2\.410 µs against 2\.400 µs, a difference of \+0\.0100 µs$/m)
    expect(readReportText(text).faults).toEqual([])
  })

  test('below a microsecond are nanoseconds, with the sign of the difference', () => {
    expect(printed('full', of(5.2e-8, 3.9e-8))).toContain(
      '39.00 ns against 52.00 ns, a difference of -13.0 ns',
    )
  })

  test('stand in one unit in a row of markdown and of a page', () => {
    const row = printed('markdown', of(0.00096, 0.00084))
    expect(row).toContain('| 960.0 µs | 840.0 µs | -12.50%, -120 µs |')
    const slower = printed('markdown', of(0.05, 0.052))
    expect(slower).toContain('| 0.050000 | 0.052000 | +4.00%, +2.00 ms |')
    const page = printed('html', of(9.6e-7, 1.2e-6))
    for (const text of ['0.960 µs', '1.200 µs', '+0.240 µs']) expect(page).toContain(`>${text}<`)
  })

  test('are those of seconds alone, and only where six decimals are too few', () => {
    expect(printed('full', of(0.0012, 0.0013))).not.toContain('µs')
    expect(printed('markdown', of(0.0012, 0.0013))).toContain('| 0.001200 | 0.001300 |')
    const bytes = of(0.0005, 0.0006, 'peakRssBytes')
    for (const name of ['full', 'markdown', 'html'])
      expect(printed(name, bytes)).not.toContain('µs')
  })
})
