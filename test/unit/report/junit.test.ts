/** A gate as JUnit XML: counts, escaping, and what becomes a failure, an error or is skipped. */
import { gateRulesSchema } from '@assay/model'
import { renderJunit } from '@assay/report'
import { judgeGate } from '@assay/stats'
import { describe, expect, test } from 'vitest'
import { constant, reportOf } from './report-of.ts'

const report = reportOf([
  {
    headings: { 'benchmark.name': 'exec', 'data-env-vars.name': 'a<b>&"c' },
    rows: [
      { label: 'old', values: constant(1) },
      { label: 'same', values: constant(1) },
      { label: 'slow', values: constant(1.1) },
      { label: 'bad', values: [], status: 'failed', reason: 'exit 1: \u{1b}[31m<no>' },
      { label: 'not', values: [], status: 'unsupported', reason: 'cannot' },
    ],
  },
])

describe('JUnit XML', () => {
  const gate = judgeGate(report, gateRulesSchema.parse({}), [])
  const xml = renderJunit(report, gate)

  test('counts cases, failures, errors and skipped ones', () => {
    const counts = 'tests="4" failures="1" errors="1" skipped="1"'
    expect(xml).toContain(`<testsuite name="exec" ${counts}>`)
    expect(xml.match(/<testcase /g)).toHaveLength(4)
    expect(xml).toMatch(/name="slow: exec on [^"]*" time="1\.1"><failure type="regression"/)
    expect(xml).toMatch(/name="bad: [^"]*"><error type="failed" message="bad failed: exit 1/)
    expect(xml).toMatch(/name="not: [^"]*"><skipped message="/)
    expect(xml).toMatch(/name="same: [^"]*" time="1"\/>/)
  })

  test('holds no character that XML forbids, and none that would end a text', () => {
    expect(xml).toContain('a&lt;b&gt;&amp;&quot;c')
    expect(xml).not.toContain('\u{1b}')
    expect(xml.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/)
  })

  test('an accepted row is skipped with who accepted it', () => {
    const who = { tokenId: null, name: 'anna', address: null }
    const review = {
      id: 1,
      at: 0,
      who,
      decision: 'accepted',
      rows: null,
      reason: 'agreed',
    } as const
    const accepted = judgeGate(report, gateRulesSchema.parse({}), [
      { ...review, samplesDigest: 'd', current: true },
    ])
    expect(accepted.outcome).toBe('passed')
    expect(renderJunit(report, accepted)).toContain('<skipped message="accepted by anna: agreed"/>')
  })
})
