import type { MeasurableCell, Measurement } from '@assay/bench'
import type { Round, TakenBlock } from '@assay/model'
import { measureBlock } from '@assay/orchestrator'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aConditions, aSample, aSampling, aTakenBlock, aUsage } from '../../support/builders.ts'

const stopped = new Error('stopped')

/** A cell whose samples are a function of the round: what a deterministic engine would give. */
const cellOf = (secondsAt: (round: number, warmup: boolean) => number): MeasurableCell => ({
  measure: async ({ round, warmup, stackPaddingBytes }): Promise<Measurement> => {
    const seconds = secondsAt(round, warmup)
    const {
      cellId: _cell,
      position: _position,
      ...sample
    } = aSample({
      outcome: seconds < 0 ? 'failed' : 'good',
      exitCode: seconds < 0 ? 1 : 0,
      stderr: seconds < 0 ? 'broken' : '',
      usage: aUsage({ wallSeconds: Math.abs(seconds) }),
      stackPaddingBytes,
    })
    return sample
  },
})

const steady = (seconds: number): MeasurableCell => cellOf(() => seconds)

/** Measures, stopping after `samples` samples, as a process would that is killed there. */
const measure = async (
  taken: TakenBlock,
  ready: ReadonlyMap<string, MeasurableCell>,
  samples = Number.POSITIVE_INFINITY,
) => {
  const saved: Round[] = []
  let left = samples
  const outcome = await measureBlock(
    taken,
    { ready, failed: new Map() },
    {
      readConditions: aConditions,
      checkStopped: () => {
        left -= 1
        if (left < 0) throw stopped
      },
      checkDraining: () => undefined,
      saveRound: async (round) => void saved.push(round),
      onFailed: () => undefined,
    },
  ).catch((error: unknown) => {
    if (error !== stopped) throw error
    return null
  })
  return { outcome, saved }
}

const two = (first: MeasurableCell, second: MeasurableCell) =>
  new Map([
    ['b1.c1', first],
    ['b1.c2', second],
  ])

describe('measuring a block', () => {
  it('says of a child that could not be started that it was not, and why', async () => {
    const absent: MeasurableCell = {
      measure: async () => {
        const { cellId: _cell, position: _position, ...sample } = aSample()
        return { ...sample, outcome: 'failed', exitCode: null, stderr: 'cannot start nothing' }
      },
    }
    const { outcome } = await measure(aTakenBlock(), two(steady(1), absent))
    expect(outcome?.failed.get('b1.c2')).toBe('the warmup was not started: cannot start nothing')
  })

  it('takes one sample of each cell in every round, in an order that varies', async () => {
    const sampling = aSampling({ rounds: { min: 12, max: 12 }, warmups: 2 })
    const { saved } = await measure(aTakenBlock({ sampling }), two(steady(1), steady(2)))
    expect(saved.filter(({ warmup }) => warmup).map(({ number }) => number)).toEqual([1, 2])
    const rounds = saved.filter(({ warmup }) => !warmup)
    expect(rounds.map(({ number }) => number)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    )
    for (const { samples } of rounds) {
      expect(samples.map(({ cellId }) => cellId).sort()).toEqual(['b1.c1', 'b1.c2'])
      expect(samples.map(({ position }) => position)).toEqual([0, 1])
    }
    const firsts = new Set(rounds.map(({ samples }) => samples[0]?.cellId))
    expect(firsts.size).toBe(2)
  })

  it('stops at the first look at which it is precise, and not before', async () => {
    const sampling = aSampling({ rounds: { min: 12, max: 100 } })
    const { outcome, saved } = await measure(aTakenBlock({ sampling }), two(steady(1), steady(1.1)))
    expect(outcome?.stopReason).toBe('precise')
    expect(saved.filter(({ warmup }) => !warmup)).toHaveLength(20)
  })

  it('stops by the precision of the primary metric, whatever the wall time does', async () => {
    const sampling = aSampling({ rounds: { min: 12, max: 30 } })
    const noisyMemory: MeasurableCell = {
      measure: async (request) => {
        const measured = await steady(1).measure(request)
        const peakRssBytes = 1e6 * (1 + (request.round % 7))
        return { ...measured, usage: { ...measured.usage, peakRssBytes } }
      },
    }
    const byMetric = async (metric: string) => {
      const cells = two(steady(1), noisyMemory)
      return (await measure(aTakenBlock({ sampling, metric }), cells)).outcome?.stopReason
    }
    expect(await byMetric('wallSeconds')).toBe('precise')
    expect(await byMetric('peakRssBytes')).toBe('rounds')
  })

  it('stops at the most rounds when it does not become precise', async () => {
    const sampling = aSampling({ rounds: { min: 12, max: 25 }, precision: 1e-9 })
    const noisy = cellOf((round) => 1 + (round % 7) / 10)
    const { outcome, saved } = await measure(aTakenBlock({ sampling }), two(steady(1), noisy))
    expect(outcome?.stopReason).toBe('rounds')
    expect(saved.filter(({ warmup }) => !warmup)).toHaveLength(25)
  })

  it('stops when its budget of measured seconds is used up', async () => {
    const sampling = aSampling({ rounds: { min: 12, max: 100 }, budgetSeconds: 10 })
    const { outcome, saved } = await measure(aTakenBlock({ sampling }), two(steady(1), steady(1)))
    expect(outcome?.stopReason).toBe('budget')
    expect(saved.filter(({ warmup }) => !warmup)).toHaveLength(5)
  })

  it('counts each inner repeat against its budget', async () => {
    const sampling = aSampling({ rounds: { min: 12, max: 100 }, budgetSeconds: 10 })
    const tenfold: MeasurableCell = {
      measure: async (request) => ({ ...(await steady(0.1).measure(request)), loops: 10 }),
    }
    const { saved } = await measure(aTakenBlock({ sampling }), two(tenfold, tenfold))
    expect(saved.filter(({ warmup }) => !warmup)).toHaveLength(5)
  })

  it('gives up a cell after three failed samples, and goes on with the others', async () => {
    const failing = cellOf((round, warmup) => (warmup || round < 3 ? 1 : -1))
    const sampling = aSampling({ rounds: { min: 8, max: 8 } })
    const { outcome, saved } = await measure(aTakenBlock({ sampling }), two(steady(1), failing))
    expect(outcome?.failed.get('b1.c2')).toMatch(/3 samples failed.*exited with 1: broken/)
    const counts = saved.filter(({ warmup }) => !warmup).map(({ samples }) => samples.length)
    expect(counts).toEqual([2, 2, 2, 2, 2, 1, 1, 1])
  })

  it('gives up a cell whose warmup failed before its first round', async () => {
    const failing = cellOf((_round, warmup) => (warmup ? -1 : 1))
    const { outcome, saved } = await measure(aTakenBlock(), two(steady(1), failing))
    expect(outcome?.failed.get('b1.c2')).toMatch(/warmup exited with 1/)
    for (const { warmup, samples } of saved) if (!warmup) expect(samples).toHaveLength(1)
  })

  it('calls a cell failed that has not one good sample, however few its rounds', async () => {
    const failing = cellOf((_round, warmup) => (warmup ? 1 : -1))
    const sampling = aSampling({ rounds: { min: 2, max: 2 } })
    const { outcome } = await measure(aTakenBlock({ sampling }), two(steady(1), failing))
    expect(outcome?.stopReason).toBe('rounds')
    expect([...(outcome?.failed ?? [])]).toEqual([
      ['b1.c2', 'no sample was good; the last exited with 1: broken'],
    ])
  })

  it('fails as a whole when no cell is left', async () => {
    const failing = cellOf(() => -1)
    const { outcome, saved } = await measure(aTakenBlock(), two(failing, failing))
    expect(outcome?.stopReason).toBe('failed')
    expect(saved.filter(({ warmup }) => !warmup)).toHaveLength(0)
  })

  it('resumed anywhere, saves the same rounds as one that was never disturbed', async () => {
    const cells = two(
      cellOf((round) => 1 + (round % 3) / 100),
      cellOf((round, warmup) => (!warmup && round % 4 === 0 ? -1 : 1.05 + (round % 5) / 100)),
    )
    const sampling = aSampling({ rounds: { min: 12, max: 30 }, precision: 0.001 })
    const whole = await measure(aTakenBlock({ sampling }), cells)
    const judged = (saved: readonly Round[]) => saved.filter(({ warmup }) => !warmup)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 4 }),
        async (kills) => {
          let rounds: Round[] = []
          let savedWarmups = 0
          for (const samples of [...kills, Number.POSITIVE_INFINITY]) {
            const base = aTakenBlock({ sampling, rounds })
            const taken = {
              ...base,
              take: { ...base.take, savedRounds: rounds.length, savedWarmups },
            }
            const { saved } = await measure(taken, cells, samples)
            savedWarmups += saved.length - judged(saved).length
            rounds = [...rounds, ...judged(saved)]
          }
          expect(rounds).toEqual(judged(whole.saved))
        },
      ),
      { numRuns: 30 },
    )
  })
})
