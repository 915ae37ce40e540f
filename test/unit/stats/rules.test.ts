import { seededRandom } from '@assay/model'
import {
  adjustPValues,
  alignedRank,
  fractionOf,
  isEquivalent,
  isPrecise,
  looks,
  minimumDetectable,
  minimumRounds,
  nextLook,
  pairsToShow,
  roundsNeeded,
  summarize,
  upperQuantile,
  upperTail,
} from '@assay/stats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceOf, normalDraw } from './evidence-of.ts'

describe('normal distribution', () => {
  test.each([
    [0, 0.5],
    [1, 0.15865525393145707],
    [1.959963984540054, 0.025],
    [3, 0.0013498980316300946],
    [5, 2.866515718791933e-7],
    [10, 7.61985302416047e-24],
  ])('P(Z >= %d) is %d, to twelve digits', (z, probability) => {
    expect(upperTail(z) / probability).toBeCloseTo(1, 11)
    expect(upperQuantile(probability)).toBeCloseTo(z, 10)
    expect(upperTail(-z)).toBeCloseTo(1 - probability, 12)
  })
})

describe('adjustPValues', () => {
  test('gives the adjusted values of the example of Benjamini and Hochberg (1995)', () => {
    const pValues = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719,
      0.6528, 0.759, 1,
    ]
    const adjusted = adjustPValues(pValues)
    // The paper rejects four at 5 %.
    expect(adjusted.filter((value) => value <= 0.05)).toHaveLength(4)
    expect(adjusted[0]).toBeCloseTo(0.0015, 10)
    expect(adjusted[3]).toBeCloseTo(0.035625, 10)
    expect(adjusted[5]).toBeCloseTo((0.0298 * 15) / 7, 10)
    expect(adjusted[14]).toBe(1)
  })

  test('keeps the order given, never lowers a p-value and never exceeds 1', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
        const adjusted = adjustPValues(pValues)
        adjusted.forEach((value, index) => {
          expect(value).toBeGreaterThanOrEqual((pValues[index] ?? 0) * (1 - 1e-15))
          expect(value).toBeLessThanOrEqual(1)
        })
        expect(adjustPValues([...pValues].reverse()).reverse()).toEqual(adjusted)
      }),
    )
  })
})

describe('summarize', () => {
  test('gives median, best, mean and median absolute deviation', () => {
    expect(summarize([4, 1, 2, 9])).toEqual({ count: 4, median: 3, best: 1, mean: 4, mad: 1.5 })
    expect(summarize([7])).toEqual({ count: 1, median: 7, best: 7, mean: 7, mad: 0 })
    expect(summarize([])).toBeNull()
  })

  test('is finite for any finite values, whatever their size, and the same in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        (values) => {
          const summary = summarize(values)
          expect(Object.values(summary ?? {}).every(Number.isFinite)).toBe(true)
          expect(summarize([...values].reverse())).toEqual(summary)
        },
      ),
    )
  })
})

describe('minimumRounds and looks', () => {
  test.each([
    [1, 12],
    [48, 12],
    [102, 12],
    [103, 13],
    [1000, 16],
  ])('%i rows need %i rounds', (rows, rounds) => {
    expect(minimumRounds(rows)).toBe(rounds)
    expect(2 / 2 ** rounds).toBeLessThanOrEqual(0.05 / rows)
  })

  test('looks are at 20, 30, 45, 60 and then ever further apart', () => {
    expect(looks.slice(0, 5)).toEqual([20, 30, 45, 60, 90])
    expect([0, 19, 20, 44, 60, 480, 5000].map(nextLook)).toEqual([20, 20, 30, 45, 90, 960, 7680])
  })

  test('the next look is always later', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (rounds) => {
        expect(nextLook(rounds)).toBeGreaterThan(rounds)
      }),
    )
  })
})

describe('equivalence, detectable effect and rounds needed', () => {
  const interval = (half: number) => ({ low: -half, high: half })

  test('only an interval wholly inside the band is equivalent; the band is symmetric in ratio', () => {
    const bound = Math.log(1.02)
    expect(isEquivalent({ low: -bound, high: bound }, 0.02)).toBe(true)
    expect(isEquivalent({ low: -bound * 1.01, high: 0 }, 0.02)).toBe(false)
    expect(isEquivalent(null, 0.02)).toBe(false)
  })

  test('the detectable effect is some 2.9 standard errors of a lone test at 5 % with 80 % power', () => {
    const noise = { pairs: 20, interval95: interval(0.0196), level: 0.05 }
    expect(minimumDetectable(noise, 0)).toBeCloseTo(0.0285, 3)
    expect(minimumDetectable(noise, 0.1)).toBe(0.1)
  })

  test.each([
    { pairs: 12, rows: 1 },
    { pairs: 12, rows: 40 },
    { pairs: 14, rows: 200 },
    { pairs: 20, rows: 40 },
  ])('the detectable effect of $pairs pairs among $rows rows is found in four of five', (given) => {
    const random = seededRandom(`power of ${given.pairs} among ${given.rows}`)
    const level = 0.05 / given.rows
    const draws = (effect: number) => ({
      baseline: Array.from({ length: given.pairs }, () => 0.015 * normalDraw(random)),
      candidate: Array.from({ length: given.pairs }, () => effect + 0.015 * normalDraw(random)),
    })
    const times = 300
    let found = 0
    for (let time = 0; time < times; time += 1) {
      const [interval95 = null] = alignedRank(draws(0), [0.95]).intervals
      const effect = minimumDetectable({ pairs: given.pairs, interval95, level }, 0) ?? 0
      if (alignedRank(draws(effect), []).pValue <= level) found += 1
    }
    // Four standard errors of 300 draws are 9 points; before, 12 pairs among 40 rows found 44 %.
    expect(found / times).toBeGreaterThan(0.7)
    expect(found / times).toBeLessThan(0.9)
  })

  test('with too few pairs for the level no effect is detectable, however large', () => {
    expect(minimumDetectable({ pairs: 6, interval95: interval(0.01), level: 0.01 }, 0)).toBeNull()
    expect(minimumDetectable({ pairs: 5, interval95: null, level: 0.05 }, 0)).toBeNull()
  })

  test('half the effect needs four times the pairs', () => {
    const noise = { pairs: 20, interval95: interval(0.02), level: 0.01 }
    expect((pairsToShow(0.01, noise) ?? 0) / (pairsToShow(0.02, noise) ?? 1)).toBeCloseTo(4, 10)
  })

  const question = {
    effect: 0,
    interval90: interval(0.04),
    noise: { pairs: 20, interval95: interval(0.048), level: 0.05 },
    rounds: 20,
    changeBound: Math.log1p(0.01),
    sameBound: Math.log1p(0.02),
    family: 1,
    canFlag: true,
  }

  test('an interval twice as wide as the band needs four times the rounds', () => {
    const needed = roundsNeeded(question)
    expect(needed).toBe(Math.ceil(20 * (0.04 / Math.log1p(0.02)) ** 2))
    const lossy = roundsNeeded({ ...question, rounds: 40 })
    expect(lossy).toBe(Math.ceil(40 * (0.04 / Math.log1p(0.02)) ** 2))
  })

  test('an effect on the edge of the band that may not be flagged is decided by no number of rounds', () => {
    expect(roundsNeeded({ ...question, effect: 0.03, canFlag: false })).toBeNull()
  })

  test('without an interval it asks for the minimum for that many rows', () => {
    const noise = { pairs: 3, interval95: null, level: 0.05 }
    expect(roundsNeeded({ ...question, noise, rounds: 3, family: 1000 })).toBe(16)
  })

  test('fractions stay finite', () => {
    expect(fractionOf(Math.log(1.1))).toBeCloseTo(0.1, 12)
    expect(Number.isFinite(fractionOf(1400))).toBe(true)
  })
})

describe('isPrecise', () => {
  const cellsOf = (candidate: readonly (number | null)[], status?: 'failed') => {
    const { blocks } = evidenceOf({
      blocks: [
        [
          { label: 'old', values: candidate.map(() => 1) },
          { label: 'new', values: candidate, ...(status === undefined ? {} : { status }) },
        ],
      ],
    })
    return blocks[0]?.cells ?? []
  }
  const spread = (half: number) =>
    Array.from({ length: 20 }, (_, index) => 1 + half * (index / 9.5 - 1))

  test('a block is precise once every interval is at most the half-width', () => {
    expect(isPrecise(cellsOf(spread(0.01)), 0.01)).toBe(true)
    expect(isPrecise(cellsOf(spread(0.1)), 0.01)).toBe(false)
  })

  test('significance does not stop it: a large, certain, wide effect is not precise', () => {
    expect(isPrecise(cellsOf(spread(0.1).map((value) => value * 3)), 0.01)).toBe(false)
  })

  test('too few pairs for an interval are not precise', () => {
    expect(isPrecise(cellsOf([1, 1, 1]), 0.01)).toBe(false)
  })

  test('a failed candidate is not waited for', () => {
    expect(isPrecise(cellsOf([1, null, null], 'failed'), 0.01)).toBe(true)
  })
})
