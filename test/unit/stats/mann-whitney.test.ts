import { compareUnpaired, mannWhitney, summarize, unpairedShift } from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** p of the tail that the data are in, doubled, over every choice of the candidate's places. */
const enumerated = (baseline: readonly number[], candidate: readonly number[]): number => {
  const all = [...baseline, ...candidate]
  const uOf = (chosen: readonly number[], others: readonly number[]): number =>
    chosen.reduce(
      (sum, one) =>
        sum + others.reduce((s, other) => s + (one > other ? 1 : one === other ? 0.5 : 0), 0),
      0,
    )
  const observed = uOf(candidate, baseline)
  const product = baseline.length * candidate.length
  let [asLow, asHigh, total] = [0, 0, 0]
  for (let pattern = 0; pattern < 2 ** all.length; pattern += 1) {
    const chosen = all.filter((_, bit) => (pattern >> bit) & 1)
    if (chosen.length !== candidate.length) continue
    const others = all.filter((_, bit) => !((pattern >> bit) & 1))
    const u = uOf(chosen, others)
    total += 1
    if (u <= observed) asLow += 1
    if (u >= observed) asHigh += 1
  }
  return Math.min(1, (2 * (observed * 2 <= product ? asLow : asHigh)) / total)
}

describe('mannWhitney', () => {
  // Permeability of the human chorioamnion, Hollander and Wolfe, table 4.1: W = 30, and the
  // one-sided p of the text is 0.127.
  const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
  const weeks12 = [1.15, 0.88, 0.9, 0.74, 1.21]

  test('gives the p-value of the permeability study of Hollander and Wolfe', () => {
    const { u, pValue, method } = mannWhitney(atTerm, weeks12)
    expect([u, method]).toEqual([15, 'exact'])
    expect(pValue / 2).toBeCloseTo(0.1272, 4)
  })

  test('gives the shift of that study', () => {
    const { estimate } = unpairedShift(weeks12, atTerm, [])
    expect(estimate).toBeCloseTo(0.305, 10)
  })

  // Critical values of the two-sided test at 5 %, equal sizes (tabled, e.g. Siegel, table K).
  test.each([
    [4, 0],
    [5, 2],
    [6, 5],
    [7, 8],
    [8, 13],
    [10, 23],
    [12, 37],
    [15, 64],
    [20, 127],
  ])('%i samples a side are significant at 0.05 up to u = %i, as tabled', (count, critical) => {
    const withU = (u: number): { baseline: number[]; candidate: number[] } => {
      const baseline = Array.from({ length: count }, (_, at) => at + 1)
      let left = u
      const candidate = baseline.map((_, at) => {
        const above = Math.min(count, left)
        left -= above
        return above + 0.1 + at / 1000
      })
      return { baseline, candidate }
    }
    const pOf = (u: number): number => {
      const { baseline, candidate } = withU(u)
      const result = mannWhitney(baseline, candidate)
      expect(result.u).toBe(u)
      return result.pValue
    }
    expect(pOf(critical)).toBeLessThanOrEqual(0.05)
    expect(pOf(critical + 1)).toBeGreaterThan(0.05)
  })

  const wholes = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 6 })

  test('agrees with enumeration of all choices, ties and unequal sizes included', () => {
    fc.assert(
      fc.property(wholes, wholes, (baseline, candidate) => {
        expect(mannWhitney(baseline, candidate).pValue).toBeCloseTo(
          enumerated(baseline, candidate),
          12,
        )
      }),
    )
  })

  test('the normal approximation for many values is close to the exact value', () => {
    const side = (count: number, offset: number) =>
      Array.from({ length: count }, (_, at) => ((at * 7919) % 1009) + offset)
    const exact = mannWhitney(side(30, 0), side(30, 120.5))
    const normal = mannWhitney(side(31, 0), side(30, 120.5))
    expect([exact.method, normal.method]).toEqual(['exact', 'normal'])
    expect(Math.abs(exact.pValue - normal.pValue)).toBeLessThan(0.03)
  })

  test('an empty side, or nothing but ties, is no evidence', () => {
    expect(mannWhitney([], [1]).pValue).toBe(1)
    expect(mannWhitney([2, 2, 2], [2, 2]).pValue).toBe(1)
    expect(mannWhitney(new Array(50).fill(2), new Array(50).fill(2)).pValue).toBe(1)
  })
})

describe('unpairedShift', () => {
  const doubles = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), {
    minLength: 1,
    maxLength: 20,
  })

  test('is the median of all differences, found without forming them', () => {
    fc.assert(
      fc.property(doubles, doubles, (baseline, candidate) => {
        const all = candidate
          .flatMap((one) => baseline.map((other) => one - other))
          .sort((left, right) => left - right)
        const middle = ((all[(all.length - 1) >> 1] ?? 0) + (all[all.length >> 1] ?? 0)) / 2
        expect(unpairedShift(baseline, candidate, []).estimate).toBeCloseTo(middle, 12)
      }),
    )
  })

  test('its interval excludes zero exactly when the test is significant', () => {
    const distinct = fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), {
      minLength: 8,
      maxLength: 30,
    })
    fc.assert(
      fc.property(distinct, (values) => {
        const half = values.length >> 1
        const [baseline, candidate] = [values.slice(0, half), values.slice(half)]
        const interval = unpairedShift(baseline, candidate, [0.95]).intervals[0] ?? null
        const excludes = interval !== null && (interval.low > 0 || interval.high < 0)
        expect(excludes).toBe(mannWhitney(baseline, candidate).pValue <= 0.05)
      }),
    )
  })
})

describe('compareUnpaired', () => {
  const sideOf = (values: readonly number[]) => ({
    samples: values.map((value, at) => ({
      round: at + 1,
      position: 0,
      outcome: 'good' as const,
      value,
      loops: 1,
    })),
    summary: summarize(values),
  })

  test('sides of different sizes are compared as ratios', () => {
    const baseline = sideOf([1, 1.01, 0.99, 1.02, 1])
    const candidate = sideOf([1.1, 1.12, 1.09, 1.11, 1.1, 1.13, 1.08])
    const numbers = compareUnpaired(baseline, candidate)
    expect(numbers.effect).toBeCloseTo(Math.log(1.1), 2)
    expect(numbers.interval95?.low).toBeGreaterThan(0.05)
    // 2 / C(12, 5)
    expect(numbers.pValue).toBeCloseTo(2 / 792, 12)
    expect([numbers.pairs, numbers.rounds]).toEqual([5, 5])
  })

  test('zero against zero is the same; zero against more has no ratio', () => {
    expect(compareUnpaired(sideOf([0, 0, 0]), sideOf([0, 0])).effect).toBe(0)
    expect(compareUnpaired(sideOf([0, 0, 0]), sideOf([1, 2])).effect).toBeNull()
  })
})
