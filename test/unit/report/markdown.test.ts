import { markdownFormat, reportMarker } from '@assay/report'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frozenReport, measuredReport } from './measured-report.ts'
import { constant, reportOf } from './report-of.ts'

const report = reportOf([
  {
    headings: { 'benchmark.name': 'exec', 'data-env-vars.name': 'a|b <script>' },
    rows: [
      { label: 'old', values: constant(1) },
      { label: 'same', values: constant(1) },
      { label: 'slow*', values: constant(1.1) },
      { label: 'bad', values: [], status: 'failed', reason: 'see `@you` #12 https://evil.example' },
    ],
  },
])
const bytes = (text: string): number => Buffer.byteLength(text)
const many = (count: number, ratio: number) =>
  reportOf(
    Array.from({ length: count }, (_, at) => ({
      headings: { 'benchmark.name': 'exec', 'benchmark.variants.n': String(at) },
      rows: [
        { label: 'old', values: constant(1) },
        { label: 'new', values: constant(ratio) },
      ],
    })),
  )

describe('markdown', () => {
  test('puts the worst first, folds the rest away, and lets no text act as markup', () => {
    const text = markdownFormat.render(report)
    const at = (part: string): number => text.indexOf(part)
    expect(text).toContain('**1 regression, 1 failed, 1 unchanged**')
    expect(at('▲ regression')).toBeGreaterThan(0)
    expect(at('✕ failed')).toBeGreaterThan(at('▲ regression'))
    expect(at('<details>')).toBeGreaterThan(at('✕ failed'))
    expect(at('= unchanged')).toBeGreaterThan(at('<details>'))
    expect(text).toContain('slow\\*')
    expect(text).not.toContain('<script>')
    expect(text).toContain('a\\|b')
    expect(text).not.toMatch(/@you|#12|https:\/\//)
    expect(text).toContain('a\\|b &lt;script&gt;')
  })

  test('starts with a marker that every run of the campaign shares and no name can close', () => {
    const named = (campaign: string) =>
      reportMarker({ ...report, run: { ...report.run, id: campaign, campaign } })
    expect(markdownFormat.render(report).split('\n')[0]).toBe(reportMarker(report))
    expect(named('mmap by default')).toBe('<!-- assay:report campaign=mmap%20by%20default -->')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(named(name)).toMatch(/^<!-- assay:report campaign=[^<>\s]* -->$/)
      }),
    )
  })

  test('is never larger than it may be, and counts what it leaves out', () => {
    const whole = markdownFormat.render(many(300, 1.1))
    expect(bytes(whole)).toBeLessThanOrEqual(60_000)
    const rows = (text: string): number => text.match(/^\| [▲=]/gmu)?.length ?? 0
    expect(whole).toContain(`Left out for want of space: ${300 - rows(whole)} regressions.`)
    const calm = markdownFormat.render(many(300, 1), { maxBytes: 8000 })
    expect(bytes(calm)).toBeLessThanOrEqual(8000)
    expect(calm).toContain(`Left out for want of space: ${300 - rows(calm)} unchanged.`)
    for (const maxBytes of [2000, 4000, 6000, 20_000]) {
      expect(
        bytes(markdownFormat.render(measuredReport().report, { maxBytes })),
      ).toBeLessThanOrEqual(maxBytes)
    }
  })

  test('of one report is always the same text', async () => {
    await expect(markdownFormat.render(frozenReport())).toMatchFileSnapshot(
      '../../golden/reports/measured.md',
    )
  })
})
