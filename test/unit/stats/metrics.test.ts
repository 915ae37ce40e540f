import { commonMetrics, metricOf, reportSchema, seededRandom, unitOf } from '@assay/model'
import { judgeRun } from '@assay/stats'
import { describe, expect, test } from 'vitest'
import { evidenceOf, noisy, type RunOf } from './evidence-of.ts'

const judgeTwo = (
  baseline: readonly number[],
  candidate: readonly number[],
  of: Omit<RunOf, 'blocks'>,
) => {
  const cells = [
    { label: 'old', values: baseline },
    { label: 'new', values: candidate },
  ]
  const report = judgeRun(evidenceOf({ ...of, blocks: [cells] }))
  expect(reportSchema.parse(report)).toEqual(report)
  const comparison = report.blocks[0]?.rows[1]?.comparison
  if (comparison === null || comparison === undefined) throw new Error('no comparison')
  return comparison
}

const around = (value: number): number[] => noisy(seededRandom(`${value}`), 20, value, 0.005)
const zeros = new Array<number>(20).fill(0)

describe('metrics', () => {
  test('have the unit that they are known to have, or that their name ends with', () => {
    expect(['cpuSeconds', 'peakRssBytes', 'majorFaults', 'readBytes'].map(unitOf)).toEqual([
      'seconds',
      'bytes',
      'count',
      'bytes',
    ])
    expect(['openSeconds', 'indexBytes', 'revisionsPerSecond', 'toString'].map(unitOf)).toEqual([
      'seconds',
      'bytes',
      'per second',
      'count',
    ])
    expect(['opsPerSec', 'writes_per_sec'].map(unitOf)).toEqual(['per second', 'per second'])
  })

  test('have a better direction only where it is declared, never by the end of their name', () => {
    for (const name of ['wallSeconds', 'peakPssBytes', ...commonMetrics]) {
      expect(metricOf(name).direction, name).toBe('lower-is-better')
    }
    for (const name of ['revisionsPerSecond', 'opsPerSec', 'throughput']) {
      expect(metricOf(name).direction, name).toBe('higher-is-better')
    }
    const undeclared = ['errorRate', 'missRate', 'cacheHits', 'errorsPerSecond', 'nobodyKnows']
    for (const name of ['mappedBytes', 'startedAtSeconds', 'endedAtSeconds', ...undeclared]) {
      expect(metricOf(name).direction, name).toBe('neutral')
    }
  })
})

describe('the direction of a metric', () => {
  test('makes less of a throughput the regression, and more of it the improvement', () => {
    const of = { metric: 'revisionsPerSecond', unit: 'per second' }
    expect(judgeTwo(around(1.1), around(1), of).verdict).toBe('regression')
    expect(judgeTwo(around(1), around(1.1), of).verdict).toBe('improvement')
    expect(judgeTwo(around(1), around(1.1), of).reason).toMatch(/^new is .* more than old/)
  })

  test('is none for a neutral one: a certain change is said, and is neither', () => {
    const comparison = judgeTwo(around(1), around(2), { metric: 'mappedBytes', unit: 'bytes' })
    expect(comparison.verdict).toBe('inconclusive')
    expect(comparison.reason).toContain('certain, but mappedBytes has no better direction')
  })
})

describe('counts', () => {
  const of = { metric: 'majorFaults', unit: 'count' }

  test('that are zero on both sides are unchanged, in a sentence', () => {
    const comparison = judgeTwo(zeros, zeros, of)
    expect([comparison.verdict, comparison.effect]).toEqual(['unchanged', 0])
    expect(comparison.reason).toMatch(/^new is the same as old .*within \+-2\.00 %\.$/)
    expect(comparison.warnings).toEqual([])
  })

  test('that are constant and equal are unchanged; constant and other are changed', () => {
    const constant = (value: number) => new Array<number>(20).fill(value)
    expect(judgeTwo(constant(7), constant(7), of).verdict).toBe('unchanged')
    expect(judgeTwo(constant(7), constant(8), of).verdict).toBe('regression')
  })

  test('that are zero on one side are inconclusive, with the difference of the means', () => {
    const some = zeros.map((_, at) => (at % 2) * 6)
    const comparison = judgeTwo(zeros, some, of)
    expect(comparison.verdict).toBe('inconclusive')
    expect(comparison.warnings.map(({ code }) => code)).toEqual(['nonpositive-value'])
    expect(comparison.reason).toMatch(
      /the mean differs by \+\d\.\d+ to \+\d\.\d+ count \(95 % interval by bootstrap\)\.$/,
    )
  })
})

describe('unpaired evidence', () => {
  const of = { pairing: 'unpaired' } as const

  test('is judged by the unpaired test, whatever the rounds are called', () => {
    const few = [1, 1.01, 0.99, 1.005, 1.002]
    const comparison = judgeTwo(
      few,
      few.map((value) => value * 1.1),
      of,
    )
    expect(comparison.verdict).toBe('regression')
    // 2 / C(10, 5)
    expect(comparison.pValue).toBeCloseTo(2 / 252, 12)
    expect(comparison.reason).toContain('at least 5 samples a side')
    expect(comparison.warnings).toEqual([])
  })

  test('of sides with unlike numbers of samples misses no pairs', () => {
    const comparison = judgeTwo(around(1), around(1.1).slice(0, 8), of)
    expect(comparison.verdict).toBe('regression')
    expect(comparison.warnings).toEqual([])
  })

  test('of three samples a side can show nothing, and says how many would', () => {
    const comparison = judgeTwo([1, 1.01, 0.99], [2, 2.01, 1.99], of)
    expect(comparison.verdict).toBe('inconclusive')
    expect(comparison.warnings.map(({ code }) => code)).toEqual(['too-few-rounds'])
    expect(comparison.roundsNeeded).toBe(4)
  })
})
