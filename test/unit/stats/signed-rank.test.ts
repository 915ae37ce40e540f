import { signedRank } from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** Two-sided p by going through all sign patterns of the midranks of |d|, zeros ranked and dropped. */
const enumerated = (differences: readonly number[]): number => {
  const sizes = differences.map(Math.abs)
  const rankOf = (size: number): number => {
    const below = sizes.filter((other) => other < size).length
    const equal = sizes.filter((other) => other === size).length
    return below + (equal + 1) / 2
  }
  const ranked = differences
    .filter((difference) => difference !== 0)
    .map((difference) => ({ rank: rankOf(Math.abs(difference)), positive: difference > 0 }))
  const total = ranked.reduce((sum, { rank }) => sum + rank, 0)
  const positive = ranked.reduce((sum, one) => sum + (one.positive ? one.rank : 0), 0)
  const distance = Math.abs(positive - total / 2)
  let asExtreme = 0
  for (let pattern = 0; pattern < 2 ** ranked.length; pattern += 1) {
    const sum = ranked.reduce((s, { rank }, bit) => s + ((pattern >> bit) & 1 ? rank : 0), 0)
    if (Math.abs(sum - total / 2) >= distance) asExtreme += 1
  }
  return asExtreme / 2 ** ranked.length
}

/** Differences 1..n of which the given ranks are negative. */
const withNegative = (count: number, negative: readonly number[]): number[] =>
  Array.from({ length: count }, (_, index) =>
    negative.includes(index + 1) ? -(index + 1) : index + 1,
  )

describe('signedRank', () => {
  test('gives the p-value of the depression study of Hollander and Wolfe', () => {
    const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
    const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    const result = signedRank(before.map((value, index) => value - (after[index] ?? 0)))
    expect(result.positiveSum).toBe(40)
    expect(result.negativeSum).toBe(5)
    expect(result.pValue).toBeCloseTo(0.0390625, 12)
  })

  // Critical values of the two-sided test at 5 % (Wilcoxon and Wilcox 1964).
  test.each([
    [6, 0],
    [7, 2],
    [8, 3],
    [10, 8],
    [12, 13],
    [15, 25],
    [20, 52],
    [25, 89],
    [30, 137],
    [40, 264],
    [50, 434],
  ])(
    '%i pairs are significant at 0.05 up to a smaller rank sum of %i, as tabled',
    (count, critical) => {
      const withSum = (sum: number): number[] => {
        const negative: number[] = []
        let left = sum
        for (let rank = count; rank >= 1; rank -= 1) {
          if (rank > left) continue
          negative.push(rank)
          left -= rank
        }
        return withNegative(count, negative)
      }
      expect(signedRank(withSum(critical)).negativeSum).toBe(critical)
      expect(signedRank(withSum(critical)).pValue).toBeLessThanOrEqual(0.05)
      expect(signedRank(withSum(critical + 1)).pValue).toBeGreaterThan(0.05)
    },
  )

  test('agrees with enumeration of all sign patterns, ties and zeros included', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 10 }), (differences) => {
        expect(signedRank(differences).pValue).toBeCloseTo(enumerated(differences), 12)
      }),
    )
  })

  test('ranks zeros before it drops them (Pratt), which Wilcoxon did not', () => {
    // Ranks 2 3 4 5 of which 2 is negative: 4 of 16 patterns are as extreme.
    expect(signedRank([0, -1, 2, 3, 4]).negativeSum).toBe(2)
    expect(signedRank([0, -1, 2, 3, 4]).pValue).toBeCloseTo(4 / 16, 12)
  })

  test('has no doubt about nothing: no differences, or only zeros, give p = 1', () => {
    expect(signedRank([]).pValue).toBe(1)
    expect(signedRank([0, 0, 0]).pValue).toBe(1)
    expect(signedRank(new Array(150).fill(0)).pValue).toBe(1)
  })

  test('the normal approximation for many pairs is close to the exact value', () => {
    const count = 101
    const negative = [...Array(count).keys()].filter((rank) => rank % 5 === 2 || rank % 5 === 3)
    const result = signedRank(withNegative(count, negative))
    let chance = [1]
    for (let rank = 1; rank <= count; rank += 1) {
      chance = Array.from(
        { length: chance.length + rank },
        (_, sum) => ((chance[sum] ?? 0) + (chance[sum - rank] ?? 0)) / 2,
      )
    }
    const exact = 2 * chance.slice(0, result.negativeSum + 1).reduce((sum, one) => sum + one, 0)
    expect(result.method).toBe('normal')
    expect(result.negativeSum).toBe(2000)
    // z = (5151/2 - 2000 - 0.5) / sqrt(101 * 102 * 203 / 24) = 1.9479
    expect(result.pValue).toBeCloseTo(0.0514, 4)
    expect(Math.abs(result.pValue - exact)).toBeLessThan(0.001)
  })

  test('p-values are probabilities and do not depend on the order or on which side is which', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { maxLength: 120 }),
        (differences) => {
          const { pValue } = signedRank(differences)
          expect(pValue).toBeGreaterThan(0)
          expect(pValue).toBeLessThanOrEqual(1)
          expect(signedRank(differences.map((one) => -one)).pValue).toBe(pValue)
          expect(signedRank([...differences].reverse()).pValue).toBe(pValue)
        },
      ),
    )
  })
})
