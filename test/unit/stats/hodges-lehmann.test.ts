import { hodgesLehmann, signedRank } from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
const depression = before.map((value, index) => value - (after[index] ?? 0))

describe('hodgesLehmann', () => {
  test('gives the estimate and interval of the depression study of Hollander and Wolfe', () => {
    const { estimate, intervals } = hodgesLehmann(depression, [0.95])
    expect(estimate).toBeCloseTo(0.46, 10)
    expect(intervals[0]?.low).toBeCloseTo(0.01, 10)
    expect(intervals[0]?.high).toBeCloseTo(0.786, 10)
  })

  test('five pairs give a 90 % interval, but none of 95 %: 2 of 32 patterns are more than 5 %', () => {
    const { intervals } = hodgesLehmann([1, 2, 3, 4, 5], [0.95, 0.9])
    expect(intervals).toEqual([null, { low: 1, high: 5 }])
    expect(hodgesLehmann([1, 2, 3, 4, 5, 6], [0.95]).intervals).toEqual([{ low: 1, high: 6 }])
  })

  test('a single difference is its own estimate', () => {
    expect(hodgesLehmann([0.3], [0.9])).toEqual({ estimate: 0.3, intervals: [null] })
  })

  test('an outlier moves the estimate little', () => {
    expect(hodgesLehmann([1, 2, 3, 4, 1e9], []).estimate).toBeLessThan(5)
  })

  test('the interval excludes zero exactly when the test is significant, without ties', () => {
    const distinct = fc
      .uniqueArray(fc.integer({ min: -1_000_000, max: 1_000_000 }), {
        minLength: 6,
        maxLength: 30,
        selector: Math.abs,
      })
      .filter((differences) => !differences.includes(0))
    fc.assert(
      fc.property(distinct, (differences) => {
        const interval = hodgesLehmann(differences, [0.95]).intervals[0]
        const excludesZero =
          interval !== null && interval !== undefined && (interval.low > 0 || interval.high < 0)
        const { pValue } = signedRank(differences)
        // Walsh averages of exactly zero lie on the edge: the test counts them, the interval holds them.
        const onEdge = interval?.low === 0 || interval?.high === 0
        expect(excludesZero || onEdge).toBe(pValue <= 0.05 || onEdge)
      }),
    )
  })

  test('swapping the sides mirrors estimate and intervals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 40 }),
        (differences) => {
          const one = hodgesLehmann(differences, [0.95, 0.9])
          const other = hodgesLehmann(
            differences.map((difference) => -difference),
            [0.95, 0.9],
          )
          expect(other.estimate + one.estimate).toBe(0)
          one.intervals.forEach((interval, index) => {
            const mirrored = other.intervals[index] ?? null
            expect((mirrored?.low ?? 0) + (interval?.high ?? 0)).toBe(0)
          })
        },
      ),
    )
  })

  test('the margin for many pairs continues the exact one', () => {
    const width = (count: number): number => {
      const { intervals } = hodgesLehmann(
        Array.from({ length: count }, (_, index) => index / count),
        [0.95],
      )
      return (intervals[0]?.high ?? 0) - (intervals[0]?.low ?? 0)
    }
    expect(Math.abs(width(101) - width(100))).toBeLessThan(0.005)
  })
})
