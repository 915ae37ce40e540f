import { readFileSync, writeFileSync } from 'node:fs'
import { reportSchema } from '@assay/model'
import { formats, jsonFormat, renderReport, reportJsonSchema } from '@assay/report'
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
    expect(formats.map(({ name }) => name)).toEqual([
      'full',
      'compact',
      'markdown',
      'json',
      'csv',
      'html',
    ])
    const details = { samples: [] }
    for (const { name, render } of formats) {
      expect(render(report, {}, details)).toMatch(/[^\n]\n$/)
      expect(renderReport(report, name, { details })).toBe(render(report, {}, details))
    }
    expect(renderReport(report, 'text')).toBe(renderReport(report, 'full'))
    expect(() => renderReport(report, 'pdf')).toThrow('choose one of full, compact')
  })

  test('json is the whole report, the same bytes whatever the order of keys', () => {
    const text = jsonFormat.render(report)
    expect(reportSchema.parse(JSON.parse(text))).toEqual(report)
    const reversed = Object.fromEntries(Object.entries(report).reverse())
    expect(jsonFormat.render(reportSchema.parse(reversed))).toBe(text)
  })

  test('the published JSON schema is the one of this build', () => {
    const file = new URL('../../../packages/report/report.schema.json', import.meta.url)
    const schema = reportJsonSchema()
    // ASSAY_UPDATE_GOLDEN=1 writes it anew; `npm run fix` lays it out.
    if (process.env['ASSAY_UPDATE_GOLDEN'] === '1') {
      writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)))
  })

  test('the JSON schema describes every field of a report', () => {
    const schema = z
      .object({ type: z.literal('object'), required: z.array(z.string()) })
      .parse(reportJsonSchema())
    expect([...schema.required].sort()).toEqual(Object.keys(report).sort())
  })
})
