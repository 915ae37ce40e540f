/** The verdicts where the truth is known, by the bench program with a fixed seed and few reports. */
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const program = new URL('../bench/simulated-truth.mjs', import.meta.url).pathname

const countsSchema = z.array(
  z.object({
    world: z.string(),
    table: z.string(),
    column: z.string(),
    happened: z.number(),
    of: z.number(),
  }),
)
let counts: z.infer<typeof countsSchema> = []

beforeAll(async () => {
  const argv = ['--reports', '20', '--rounds', '20', '--seed', 'fixed', '--json']
  const { stdout } = await execa(process.execPath, [program, ...argv])
  counts = countsSchema.parse(JSON.parse(stdout))
})

/** Share of all that was counted in a table, over every world and column that fit. */
const shareOf = (table: string, world?: string, column?: string): number => {
  const fitting = counts
    .filter((count) => count.table === table)
    .filter((count) => world === undefined || count.world === world)
    .filter((count) => column === undefined || count.column === column)
  const sum = (pick: (count: (typeof counts)[number]) => number): number =>
    fitting.reduce((total, count) => total + pick(count), 0)
  expect(sum(({ of }) => of)).toBeGreaterThan(0)
  return sum(({ happened }) => happened) / sum(({ of }) => of)
}

describe('reports of nothing', () => {
  it('raise an alarm in 5 % of cases at most, with and without looks at precision', () => {
    // 160 reports: 5 % and two standard deviations.
    expect(shareOf('alarm')).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 160))
  })

  it('warn of a drift that is there and hardly ever of one that is not', () => {
    expect(shareOf('warning drift', 'drift')).toBeGreaterThan(0.8)
    expect(shareOf('warning drift', 'base')).toBeLessThan(0.025)
  })

  it('warn of several modes hardly ever where there is one', () => {
    expect(shareOf('warning several-modes', 'base')).toBeLessThan(0.025)
    expect(shareOf('warning several-modes', 'drift')).toBeLessThan(0.025)
  })

  it('raise an alarm by other rules nearly always', () => {
    expect(shareOf('difference of medians > 1 %', undefined, 'report')).toBeGreaterThan(0.9)
    expect(shareOf('Mann-Whitney, p <= .05, in blocks', undefined, 'report')).toBeGreaterThan(0.7)
  })
})

describe('a lone true change among 39 rows of nothing', () => {
  it.each([
    ['base', 0.88],
    ['drift', 0.88],
    ['bursts', 0.6],
    ['two modes', 0.5],
  ])('is found in the world %s', (world, least) => {
    // Wanted of 1000 reports: 88, 88, 70 and, of 3 %, 45 in a hundred; 40 reports vary by some 8.
    expect(shareOf('found', world)).toBeGreaterThanOrEqual(least)
  })
})
