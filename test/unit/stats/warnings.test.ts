import { seededRandom } from '@assay/model'
import { bootstrapInterval, judgeRun, modesOf, trendOf, upperTail } from '@assay/stats'
import { describe, expect, test } from 'vitest'
import { evidenceOf, noisy, normalDraw } from './evidence-of.ts'

const codesOf = (baseline: readonly number[], candidate: readonly number[]): string[] => {
  const report = judgeRun(
    evidenceOf({
      blocks: [
        [
          { label: 'old', values: baseline },
          { label: 'new', values: candidate },
        ],
      ],
    }),
  )
  return report.blocks[0]?.rows[1]?.comparison?.warnings.map(({ code }) => code) ?? []
}

describe('trendOf', () => {
  test('gives the variance of Kendall: ten values in order have S = 45 and z = 44 / sqrt(125)', () => {
    const { pValue, rise } = trendOf(Array.from({ length: 10 }, (_, at) => at))
    // 2 P(Z >= 3.9355)
    expect(pValue).toBeCloseTo(8.303e-5, 7)
    expect(rise).toBeCloseTo(6, 12)
    expect(trendOf(Array.from({ length: 10 }, (_, at) => -at)).pValue).toBe(pValue)
  })

  test('counts every two rounds once, ties included', () => {
    const random = seededRandom('trend')
    for (let count = 3; count < 40; count += 1) {
      const values = Array.from({ length: count }, () => Math.floor(random() * 8))
      const sign = values.flatMap((later, at) =>
        values.slice(0, at).map((earlier) => Math.sign(later - earlier)),
      )
      const score = Math.abs(sign.reduce((sum, one) => sum + one, 0))
      const spread = (n: number) => n * (n - 1) * (2 * n + 5)
      const sizes = [0, 1, 2, 3, 4, 5, 6, 7].map((x) => values.filter((one) => one === x).length)
      const variance = (spread(count) - sizes.reduce((sum, size) => sum + spread(size), 0)) / 18
      const z = Math.max(0, score - 1) / Math.sqrt(variance)
      expect(trendOf(values).pValue).toBeCloseTo(Math.min(1, 2 * upperTail(z)), 12)
    }
  })

  test('values that never change have no trend, and two are too few for one', () => {
    expect(trendOf(new Array(30).fill(1))).toEqual({ pValue: 1, rise: 0 })
    expect(trendOf([1, 2]).pValue).toBe(1)
  })
})

describe('the drift warning', () => {
  test('comes with a host that slows down, names the sides, and vetoes nothing', () => {
    const random = seededRandom('drifting')
    const drifting = (factor: number) =>
      noisy(random, 30, factor, 0.005).map((value, round) => value * 1.004 ** round)
    expect(codesOf(drifting(1), drifting(1))).toEqual(['drift'])
    const report = judgeRun(
      evidenceOf({
        blocks: [
          [
            { label: 'old', values: drifting(1) },
            { label: 'new', values: drifting(1.1) },
          ],
        ],
      }),
    )
    const comparison = report.blocks[0]?.rows[1]?.comparison
    expect(comparison?.verdict).toBe('regression')
    expect(comparison?.warnings[0]?.message).toMatch(/old by \+\d.*new by \+\d/)
  })
})

describe('the warning of several modes', () => {
  const sideOf = (seed: string, upperShare: number) => {
    const random = seededRandom(seed)
    return Array.from(
      { length: 30 },
      () => 0.01 * normalDraw(random) + (random() < upperShare ? 0.1 : 0),
    )
  }
  const exp = (logs: readonly number[]) => logs.map(Math.exp)

  test('comes where a third of the samples gather elsewhere, and says where', () => {
    const modes = modesOf({ baseline: sideOf('a', 0.35), candidate: sideOf('b', 0.35) })
    expect(modes?.distance).toBeCloseTo(0.1, 1)
    expect(modes?.upperShare).toBeGreaterThan(0.2)
    expect(codesOf(exp(sideOf('a', 0.35)), exp(sideOf('b', 0.35)))).toEqual(['several-modes'])
  })

  test('does not come for one mode, for a large change, or for values that never vary', () => {
    expect(modesOf({ baseline: sideOf('c', 0), candidate: sideOf('d', 0) })).toBeNull()
    const changed = sideOf('d', 0).map((value) => value + 0.5)
    expect(modesOf({ baseline: sideOf('c', 0), candidate: changed })).toBeNull()
    expect(
      modesOf({ baseline: new Array(20).fill(0), candidate: new Array(20).fill(1) }),
    ).toBeNull()
    expect(modesOf({ baseline: [1, 2], candidate: [1, 2] })).toBeNull()
  })
})

describe('bootstrapInterval', () => {
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const question = { statistic: meanOf, confidence: 0.95, seed: 'test' }

  test('of a mean of symmetric values is near the normal interval', () => {
    const values = Array.from({ length: 100 }, (_, at) => at)
    const interval = bootstrapInterval({ ...question, values })
    const half = (1.96 * 28.87) / 10
    expect(Math.abs((interval?.low ?? 0) - (49.5 - half))).toBeLessThan(1)
    expect(Math.abs((interval?.high ?? 0) - (49.5 + half))).toBeLessThan(1)
  })

  test('covers the mean of skewed values in about 95 of 100 samples', () => {
    const random = seededRandom('coverage')
    let covered = 0
    for (let trial = 0; trial < 200; trial += 1) {
      const values = Array.from({ length: 30 }, () => -Math.log(1 - random()))
      const interval = bootstrapInterval({ ...question, values })
      if (interval !== null && interval.low <= 1 && interval.high >= 1) covered += 1
    }
    expect(covered).toBeGreaterThan(175)
  })

  test('is the same for the same seed, mirrored for mirrored values, and null of too few', () => {
    const values = [0, 0, 0, 1, 0, 5, 0, 2, 0, 0, 9, 0]
    const interval = bootstrapInterval({ ...question, values })
    expect(bootstrapInterval({ ...question, values })).toEqual(interval)
    const mirrored = bootstrapInterval({ ...question, values: values.map((value) => -value) })
    expect(mirrored?.low).toBeCloseTo(-(interval?.high ?? 0), 12)
    expect(bootstrapInterval({ ...question, values: [1, 2, 3, 4, 5] })).toBeNull()
    expect(bootstrapInterval({ ...question, values: new Array(9).fill(3) })).toEqual({
      low: 3,
      high: 3,
    })
  })
})

describe('what a child left behind', () => {
  test('is told of its side, with its number, and vetoes nothing', () => {
    const values = noisy(seededRandom('left'), 20, 1)
    const cells = [
      { label: 'old', values },
      { label: 'new', values: values.map((value) => value * 1.1), stragglers: 2 },
    ]
    const comparison = judgeRun(evidenceOf({ blocks: [cells] })).blocks[0]?.rows[1]?.comparison
    expect(comparison?.verdict).toBe('regression')
    expect(comparison?.warnings[0]?.code).toBe('stragglers')
    expect(comparison?.warnings[0]?.message).toContain('(40 by the 20 samples of new)')
  })
})

describe('inner repeats', () => {
  const values = noisy(seededRandom('loops'), 20, 1)
  const rowOf = (baseline: number, candidate: number) =>
    judgeRun(
      evidenceOf({
        blocks: [
          [
            { label: 'one', values, loops: baseline },
            { label: 'other', values: values.map((value) => value * 1.1), loops: candidate },
          ],
        ],
      }),
    ).blocks[0]?.rows[1]

  test('that differ make two sides not comparable, and the reason names them', () => {
    const comparison = rowOf(8, 4)?.comparison
    expect(comparison?.verdict).toBe('not-comparable')
    expect(comparison?.reason).toMatch(/^The inner repeats differ, 8 of one and 4 of other/)
  })

  test('that are equal are shown with the summary, where there are several', () => {
    expect(rowOf(8, 8)?.comparison?.verdict).toBe('regression')
    expect(rowOf(8, 8)?.summary?.loops).toBe(8)
    expect(rowOf(1, 1)?.summary).not.toHaveProperty('loops')
  })
})
