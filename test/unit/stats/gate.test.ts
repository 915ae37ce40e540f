/** What blocks, what was accepted, and that the outcome is the OR of the rows. */
import { type Gate, gateRulesSchema, type Report, type Review } from '@assay/model'
import { confirmGate, judgeGate, judgeRun } from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CellOf, evidenceOf } from './evidence-of.ts'

const flat = (value: number): number[] =>
  Array.from({ length: 20 }, (_, round) => value * (1 + 0.0001 * (round % 7)))
const base: CellOf = { label: 'old', values: flat(1) }
const rows = {
  slower: { label: 'slower', values: flat(1.05) },
  faster: { label: 'faster', values: flat(0.95) },
  same: { label: 'same', values: flat(1) },
  failed: { label: 'failed', values: [], status: 'failed', reason: 'exit 1' },
  unsupported: { label: 'unsupported', values: [], status: 'unsupported', reason: 'cannot' },
} as const satisfies Record<string, CellOf>

const reportOf = (...cells: readonly CellOf[]): Report =>
  judgeRun(evidenceOf({ blocks: cells.map((cell) => [base, cell]) }))

const rules = gateRulesSchema.parse({})

const review = (change: Partial<Review>): Review => ({
  ...{ id: 1, at: 0, who: { tokenId: null, name: 'anna', address: null } },
  ...{ decision: 'accepted', rows: null, reason: 'agreed', samplesDigest: 'd', current: true },
  ...change,
})

const statesOf = ({ rows: gated }: Gate): string[] =>
  gated.map(({ state, blocker }) => `${state}${blocker === null ? '' : ` ${blocker}`}`)

describe('the gate', () => {
  test('blocks on a regression, and on nothing that is fine', () => {
    const gate = judgeGate(reportOf(rows.slower, rows.faster, rows.same), rules, [])
    expect([gate.outcome, statesOf(gate)]).toEqual([
      'blocked',
      ['blocks regression', 'passes', 'passes'],
    ])
    expect(gate.reason).toBe('1 regression of 3 rows')
    expect(judgeGate(reportOf(rows.faster, rows.same), rules, [])).toMatchObject({
      ...{ outcome: 'passed', reason: '2 rows passed' },
    })
  })

  test('is unmeasured where a row failed or has no baseline, and nothing regressed', () => {
    const failed = judgeGate(reportOf(rows.failed, rows.same), rules, [])
    expect([failed.outcome, failed.reason]).toEqual(['unmeasured', '1 failed row of 2 rows'])
    const broken: CellOf = { ...base, status: 'failed', reason: 'exit 1' }
    const baseless = judgeRun(evidenceOf({ blocks: [[broken, rows.same]] }))
    expect(statesOf(judgeGate(baseless, rules, []))).toEqual(['blocks missing'])
    expect(judgeGate(reportOf(rows.slower, rows.failed), rules, []).outcome).toBe('blocked')
  })

  test('lets small regressions through, and blocks on what else it is told to', () => {
    const loose = gateRulesSchema.parse({ threshold: 0.1 })
    expect(judgeGate(reportOf(rows.slower), loose, []).outcome).toBe('passed')
    const strict = gateRulesSchema.parse({ block: ['unsupported'] })
    const gate = judgeGate(reportOf(rows.unsupported, rows.slower), strict, [])
    expect([gate.outcome, statesOf(gate)]).toEqual(['unmeasured', ['blocks unsupported', 'passes']])
  })

  test('an accepted row does not block; a later word counts, one on other samples does not', () => {
    const report = reportOf(rows.slower)
    const cellId = 'b1.c2'
    const accepted = review({ rows: [cellId] })
    const gate = judgeGate(report, rules, [accepted])
    expect([gate.outcome, statesOf(gate)]).toEqual(['passed', ['accepted regression']])
    expect(gate.reason).toBe('1 row passed; 1 accepted row would have blocked')
    expect(gate.rows[0]?.reason).toBe('accepted by anna: agreed')
    const rejected = review({ id: 2, rows: [cellId], decision: 'rejected' })
    expect(judgeGate(report, rules, [accepted, rejected]).outcome).toBe('blocked')
    const stale = review({ rows: [cellId], current: false })
    expect(judgeGate(report, rules, [stale]).outcome).toBe('blocked')
    expect(judgeGate(report, rules, [review({ rows: ['b9.c2'] })]).outcome).toBe('blocked')
  })

  test('a rejected report blocks however good its rows are', () => {
    const word = review({ decision: 'rejected', reason: 'not quiet' })
    const gate = judgeGate(reportOf(rows.same), rules, [word])
    expect([gate.outcome, gate.reason]).toEqual(['blocked', '1 rejected row of 1 row'])
  })

  test('does not pass a run that is unfinished, invalid, or compares nothing', () => {
    const report = reportOf(rows.same)
    const of = (run: Partial<Report['run']>): Report => ({
      ...report,
      run: { ...report.run, ...run },
    })
    expect(judgeGate(of({ status: 'running' }), rules, []).outcome).toBe('unmeasured')
    const invalid = judgeGate(of({ invalid: { reason: 'a backup ran', at: 1 } }), rules, [])
    expect(invalid.reason).toBe('the run was marked invalid: a backup ran; 1 row passed')
    expect(judgeGate({ ...report, blocks: [] }, rules, []).outcome).toBe('unmeasured')
  })

  test('a regression that does not come again does not block; one that does, does', () => {
    const report = reportOf(rows.slower)
    const gate = judgeGate(report, rules, [])
    const confirming = (cell: CellOf): Gate => confirmGate(gate, report, reportOf(cell))
    expect(confirming(rows.slower)).toMatchObject({ outcome: 'blocked', confirmedBy: 'r1' })
    const refuted = confirming({ ...rows.same, label: 'slower' })
    expect([refuted.outcome, statesOf(refuted)]).toEqual(['passed', ['passes']])
    expect(refuted.rows[0]?.reason).toMatch(/^not confirmed: slower is the same as old/)
    // What could not be measured again is not refuted.
    expect(confirming({ ...rows.failed, label: 'slower' }).outcome).toBe('blocked')
  })

  test('is the OR of its rows, whatever they are', () => {
    const some = fc.array(fc.constantFrom(...Object.values(rows)), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(some, (cells) => {
        const gate = judgeGate(reportOf(...cells), rules, [])
        const blocks = gate.rows.filter(({ state }) => state === 'blocks')
        const isRegression = blocks.some(({ blocker }) => blocker === 'regression')
        const expected = isRegression ? 'blocked' : blocks.length > 0 ? 'unmeasured' : 'passed'
        expect(gate.outcome).toBe(expected)
      }),
      { numRuns: 60 },
    )
  })
})
