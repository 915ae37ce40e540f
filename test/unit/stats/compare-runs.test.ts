import { reportSchema, seededRandom } from '@assay/model'
import { compareRuns } from '@assay/stats'
import { describe, expect, test } from 'vitest'
import { type CellOf, evidenceOf, noisy } from './evidence-of.ts'

const cell = (
  label: string,
  variantId: string,
  value: number,
  more: Partial<CellOf> = {},
): CellOf => ({
  label,
  variantId,
  values: noisy(seededRandom(`${label} ${value}`), 20, value),
  ...more,
})
const before = evidenceOf({
  runId: 'r1',
  blocks: [[cell('populate', 'p', 1), cell('plain', 'q', 2)], [cell('old', 'gone', 1)]],
})

describe('compareRuns', () => {
  test('sets each variant against the same variant of the other run, and proves nothing', () => {
    const after = evidenceOf({
      runId: 'r2',
      blocks: [[cell('plain', 'q', 2), cell('populate', 'p', 1.2)]],
    })
    const report = compareRuns(before, after)
    expect(reportSchema.parse(report)).toEqual(report)
    expect(report.counts).toMatchObject({ indicative: 2, regression: 0 })
    expect([report.comparedFactor, report.pairing]).toEqual(['run', 'unpaired'])
    const [plain, populate] = report.blocks
    expect(populate?.rows.map(({ label }) => label)).toEqual(['r1', 'r2'])
    expect(populate?.headings['compared.mode']).toBe('populate')
    const comparison = populate?.rows[1]?.comparison
    expect(comparison?.effect).toBeCloseTo(Math.log(1.2), 1)
    expect(comparison?.interval95?.low).toBeGreaterThan(0.1)
    expect(comparison?.change).toBeCloseTo(0.2, 1)
    expect(comparison?.reason).toMatch(
      /^r2 is [12]\d\.\d % slower than r1 .*not measured in one block\.$/,
    )
    expect(plain?.rows[1]?.comparison?.verdict).toBe('indicative')
  })

  test('says which variants either run lacks, and which cells failed', () => {
    const after = evidenceOf({
      runId: 'r2',
      fingerprint: 'f2',
      blocks: [
        [
          cell('populate', 'p', 1, { status: 'failed', reason: 'exit 1' }),
          cell('thread', 'new', 1),
          cell('populate', 'p', 1, { role: 'self-check' }),
        ],
      ],
    })
    const report = compareRuns(before, after)
    const verdicts = report.blocks.map(({ rows }) => rows.at(-1)?.comparison?.verdict)
    expect(verdicts).toEqual(['failed', 'no-baseline'])
    expect(report.blocks[1]?.rows).toHaveLength(1)
    expect(report.warnings.map(({ code }) => code)).toEqual(['variants-missing', 'several-hosts'])
    expect(report.warnings[0]?.message).toContain('lacks 2 variants of r1')
    expect(report.warnings[0]?.message).toContain('compared.mode = old')
  })

  test('says what the report of either run says of it: lost samples, an end that did not come', () => {
    const lossy = cell('populate', 'p', 1, { values: [1, 1, null, 1, null] })
    const { run, ...evidence } = evidenceOf({ runId: 'r2', blocks: [[lossy]] })
    const invalid = { reason: 'another program ran', at: 1 }
    const report = compareRuns(before, { ...evidence, run: { ...run, status: 'running', invalid } })
    const codes = report.warnings.map(({ code }) => code)
    expect(codes).toEqual(['run-invalid', 'run-incomplete', 'variants-missing'])
    expect(report.warnings[0]?.message).toBe('r2 was marked invalid: another program ran')
    expect(report.blocks[0]?.rows[1]?.comparison?.warnings).toEqual([
      {
        code: 'missing-samples',
        message: 'Only good samples are judged: 3/5 of r2 (lost: r1: none; r2: 2 failed of 5).',
      },
    ])
  })

  test('a run against itself has no effect anywhere', () => {
    for (const { rows } of compareRuns(before, before).blocks) {
      expect(rows[1]?.comparison?.effect).toBe(0)
    }
  })
})
