import { reportSchema } from '@assay/model'
import { formats, jsonFormat, markdownFormat, renderReport, reportJsonSchema } from '@assay/report'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { constant, reportOf } from './report-of.ts'

const report = reportOf([
  {
    headings: { 'benchmark.name': 'exec', 'data-env-vars.name': 'a|b <script>' },
    rows: [
      { label: 'old', values: constant(1) },
      { label: 'same', values: constant(1) },
      { label: 'slow*', values: constant(1.1) },
      { label: 'bad', values: [], status: 'failed', reason: 'exit 1' },
    ],
  },
])

describe('formats', () => {
  test('have distinct names, are found by name, and end in a newline', () => {
    expect(formats.map(({ name }) => name)).toEqual(['text', 'full', 'compact', 'markdown', 'json'])
    for (const { name, render } of formats) {
      expect(render(report)).toMatch(/[^\n]\n$/)
      expect(renderReport(report, name)).toBe(render(report))
    }
    expect(renderReport(report, 'text')).toBe(renderReport(report, 'full'))
    expect(() => renderReport(report, 'pdf')).toThrow('choose one of text, full')
  })

  test('json is the whole report, the same bytes whatever the order of keys', () => {
    const text = jsonFormat.render(report)
    expect(reportSchema.parse(JSON.parse(text))).toEqual(report)
    const reversed = Object.fromEntries(Object.entries(report).reverse())
    expect(jsonFormat.render(reportSchema.parse(reversed))).toBe(text)
  })

  test('the JSON schema describes every field of a report', () => {
    const schema = z
      .object({ type: z.literal('object'), required: z.array(z.string()) })
      .parse(reportJsonSchema())
    expect([...schema.required].sort()).toEqual(Object.keys(report).sort())
  })

  test('markdown puts the worst first, folds the rest away, and lets no text act as markup', () => {
    const text = markdownFormat.render(report)
    const at = (part: string): number => text.indexOf(part)
    expect(text).toContain('**1 regression, 1 failed, 1 unchanged**')
    expect(at('| regression |')).toBeGreaterThan(0)
    expect(at('| failed |')).toBeGreaterThan(at('| regression |'))
    expect(at('<details>')).toBeGreaterThan(at('| failed |'))
    expect(at('| unchanged |')).toBeGreaterThan(at('<details>'))
    expect(text).toContain('slow\\*')
    expect(text).not.toContain('<script>')
    expect(text).toContain('a\\|b')
  })
})
