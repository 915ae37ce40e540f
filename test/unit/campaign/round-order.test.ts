/** Rounds are ordered by chance, and the chance can be had again. */
import { roundOrder } from '@assay/campaign'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const cellIds = ['b1.c1', 'b1.c2', 'b1.c3', 'b1.c4']
const place = { seed: '1', blockId: 'b1', round: 1, warmup: false, cellIds }
const orders = (change: (round: number) => Partial<typeof place>, rounds = 40): string =>
  Array.from({ length: rounds }, (_, at) =>
    roundOrder({ ...place, ...change(at + 1) }).join(),
  ).join(' ')

describe('the order of a round', () => {
  it('is a function of seed, block and round, not of the order of the cells given', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(),
        fc.shuffledSubarray(cellIds, { minLength: 4 }),
        (seed, round, given) => {
          const first = roundOrder({ ...place, seed, round })
          expect(roundOrder({ ...place, seed, round, cellIds: given })).toEqual(first)
          expect([...first].sort()).toEqual(cellIds)
        },
      ),
    )
  })

  it('differs by seed, by block, and between warmups and rounds', () => {
    const base = orders((round) => ({ round }))
    expect(orders((round) => ({ round, seed: '2' }))).not.toBe(base)
    expect(orders((round) => ({ round, blockId: 'b2' }))).not.toBe(base)
    expect(orders((round) => ({ round, warmup: true }))).not.toBe(base)
  })

  it('puts each cell in each place about equally often', () => {
    const counts = new Map<string, number>()
    for (let round = 1; round <= 2400; round += 1) {
      for (const [at, id] of roundOrder({ ...place, round }).entries()) {
        counts.set(`${id}@${at}`, (counts.get(`${id}@${at}`) ?? 0) + 1)
      }
    }
    expect(counts.size).toBe(16)
    // 600 expected; a standard deviation is 21.
    for (const count of counts.values()) expect(Math.abs(count - 600)).toBeLessThan(106)
  })
})
