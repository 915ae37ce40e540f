import { seededRandom } from '@assay/model'
import { type AlignedRank, alignedRank, type LogPairs } from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalDraw } from './evidence-of.ts'

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** p by swapping the samples of every subset of the rounds, straight from the definition. */
const enumerated = ({ baseline, candidate }: LogPairs): number => {
  const middles = baseline.map((value, at) => (value + (candidate[at] ?? 0)) / 2)
  const level = (at: number): number => medianOf(middles.slice(Math.max(0, at - 7), at + 8))
  const left = baseline.map((value, at) => value - level(at))
  const right = candidate.map((value, at) => value - level(at))
  const all = [...left, ...right]
  const rankOf = (value: number): number => {
    const below = all.filter((other) => other < value - 1e-12).length
    const equal = all.filter((other) => Math.abs(other - value) <= 1e-12).length
    return below + (equal + 1) / 2
  }
  const terms = left.map((value, at) => rankOf(right[at] ?? 0) - rankOf(value))
  const observed = Math.abs(terms.reduce((sum, term) => sum + term, 0))
  let asExtreme = 0
  for (let pattern = 0; pattern < 2 ** terms.length; pattern += 1) {
    const sum = terms.reduce((total, term, bit) => total + ((pattern >> bit) & 1 ? -term : term), 0)
    if (Math.abs(sum) >= observed - 1e-9) asExtreme += 1
  }
  return asExtreme / 2 ** terms.length
}

const wholes = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 6 }), { minLength: length, maxLength: length })
const smallPairs = fc
  .integer({ min: 1, max: 10 })
  .chain((length) => fc.record({ baseline: wholes(length), candidate: wholes(length) }))

const shifted = (pairs: LogPairs, shift: number): LogPairs => ({
  baseline: pairs.baseline,
  candidate: pairs.candidate.map((value) => value - shift),
})

const noisyPairs = (seed: string, count: number): LogPairs => {
  const random = seededRandom(seed)
  const side = () => Array.from({ length: count }, () => 0.015 * normalDraw(random))
  return { baseline: side(), candidate: side() }
}

const mirrored = ({ baseline, candidate }: LogPairs): LogPairs => ({
  baseline: candidate,
  candidate: baseline,
})
const first = ({ intervals }: AlignedRank) => intervals[0] ?? null

describe('alignedRank', () => {
  test('agrees with swapping the samples of every subset of the rounds, ties included', () => {
    fc.assert(
      fc.property(smallPairs, (pairs) => {
        expect(alignedRank(pairs, []).pValue).toBeCloseTo(enumerated(pairs), 12)
      }),
    )
  })

  test('every round saying the same is p = 2 / 2^n, the smallest there is', () => {
    for (const count of [1, 5, 12, 20, 40]) {
      const pairs = noisyPairs('apart', count)
      expect(alignedRank(shifted(pairs, 1), []).pValue).toBeCloseTo(2 ** (1 - count), 15)
    }
  })

  test('five pairs give a 90 % interval, but none of 95 %; six give both', () => {
    const five = alignedRank(noisyPairs('few', 5), [0.95, 0.9]).intervals
    expect(five.map((interval) => interval === null)).toEqual([true, false])
    expect(first(alignedRank(noisyPairs('few', 6), [0.95]))).not.toBeNull()
  })

  test('a constant ratio is its own estimate and interval', () => {
    const pairs = { baseline: new Array(20).fill(0), candidate: new Array(20).fill(0.1) }
    const { estimate, intervals } = alignedRank(pairs, [0.95])
    expect(estimate).toBeCloseTo(0.1, 12)
    expect(intervals[0]?.low).toBeCloseTo(0.1, 12)
    expect(intervals[0]?.high).toBeCloseTo(0.1, 12)
  })

  test.each([8, 20, 40, 41, 60])(
    'with %i pairs the interval holds exactly the shifts that are not rejected',
    (count) => {
      for (let trial = 0; trial < 10; trial += 1) {
        const pairs = noisyPairs(`interval ${count} ${trial}`, count)
        const { low, high } = first(alignedRank(pairs, [0.95])) ?? { low: 0, high: 0 }
        const pAt = (shift: number): number => alignedRank(shifted(pairs, shift), []).pValue
        const step = 1e-9
        expect(pAt(low + step)).toBeGreaterThan(0.05)
        expect(pAt(high - step)).toBeGreaterThan(0.05)
        expect(pAt(low - step)).toBeLessThanOrEqual(0.05)
        expect(pAt(high + step)).toBeLessThanOrEqual(0.05)
      }
    },
  )

  test('a drift that both sides share changes neither effect nor certainty much', () => {
    const still = noisyPairs('drift', 30)
    const drifting = {
      baseline: still.baseline.map((value, at) => value + 0.01 * at),
      candidate: still.candidate.map((value, at) => value + 0.05 + 0.01 * at),
    }
    const { estimate, pValue } = alignedRank(drifting, [])
    expect(estimate).toBeCloseTo(0.05, 2)
    expect(pValue).toBeLessThan(1e-6)
  })

  test('one outlier in three rounds leaves a change of five percent certain', () => {
    const still = noisyPairs('bursts', 21)
    const burst = (value: number, at: number, phase: number): number =>
      at % 6 === phase ? value + 0.2 : value
    const pairs = {
      baseline: still.baseline.map((value, at) => burst(value, at, 0)),
      candidate: still.candidate.map((value, at) => burst(value + 0.05, at, 3)),
    }
    expect(alignedRank(pairs, []).pValue).toBeLessThan(0.00125)
  })

  test('swapping the sides mirrors estimate and intervals to the last digit', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (seed, count) => {
        const pairs = noisyPairs(seed, count)
        const [one, other] = [pairs, mirrored(pairs)].map((side) => alignedRank(side, [0.95, 0.9]))
        expect(other?.pValue).toBe(one?.pValue)
        expect((other?.estimate ?? 1) + (one?.estimate ?? 1)).toBe(0)
        one?.intervals.forEach((interval, at) => {
          const opposite = other?.intervals[at] ?? null
          expect((opposite?.low ?? 0) + (interval?.high ?? 0)).toBe(0)
          expect((opposite?.high ?? 0) + (interval?.low ?? 0)).toBe(0)
        })
      }),
      { numRuns: 40 },
    )
  })

  test('many pairs, where the distribution is normal, continue the exact ones', () => {
    const pairs = noisyPairs('many', 41)
    const fewer = { baseline: pairs.baseline.slice(0, 40), candidate: pairs.candidate.slice(0, 40) }
    const widthOf = (of: LogPairs): number => {
      const interval = first(alignedRank(of, [0.95]))
      return (interval?.high ?? 0) - (interval?.low ?? 0)
    }
    expect(alignedRank(pairs, []).method).toBe('normal')
    expect(alignedRank(fewer, []).method).toBe('exact')
    expect(widthOf(pairs) / widthOf(fewer)).toBeGreaterThan(0.85)
    expect(widthOf(pairs) / widthOf(fewer)).toBeLessThan(1.15)
  })
})
