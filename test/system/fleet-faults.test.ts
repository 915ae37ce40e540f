/**
 * A fleet under fire, by the program that prints the table of all faults: a few of them, and random
 * kills of server, workers, launchers and Redis. What was acknowledged is there once, every run ends
 * complete without a hand, no sample runs beside another, and nothing outlives its worker.
 */
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const program = new URL('../bench/fleet-faults.mjs', import.meta.url).pathname

const rowsSchema = z.array(
  z.object({
    name: z.string(),
    runs: z.int().min(1),
    acknowledged: z.int(),
    lost: z.int(),
    doubled: z.int(),
    overlaps: z.int(),
    survivors: z.int(),
    unfinished: z.int(),
    dead: z.int(),
  }),
)

/** Two workers take three blocks of 13 rounds a run; fewer is a run that was not measured. */
const roundsOfRun = 39

const strike = async (...argv: string[]) => {
  const { stdout, stderr } = await execa('node', [program, '--json', ...argv], { reject: false })
  expect(stdout, stderr).not.toBe('')
  return rowsSchema.parse(JSON.parse(stdout))
}

const harmless = { lost: 0, doubled: 0, overlaps: 0, survivors: 0, unfinished: 0 }

describe('a fleet', () => {
  it('loses and doubles nothing, whatever the network and the queue deliver', async () => {
    const names =
      'rounds and deliveries twice,FLUSHALL,Redis at maxmemory,workers stand still beyond the lease'
    const rows = await strike('--only', names)
    expect(rows.map(({ name }) => name)).toEqual(names.split(','))
    for (const row of rows) {
      expect(row).toMatchObject({ ...harmless, dead: 0 })
      expect(row.acknowledged).toBeGreaterThanOrEqual(roundsOfRun)
    }
  })

  it('survives 60 random kills', async () => {
    const [row] = await strike('--kills', '60')
    expect(row).toMatchObject(harmless)
    expect(row?.acknowledged).toBeGreaterThanOrEqual(roundsOfRun)
  })
})
