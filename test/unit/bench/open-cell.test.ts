/** Inner repeats around an engine whose times are exact. */
import { type Engine, engines, type OpenCell, openCell, shareLoops } from '@assay/bench'
import { plainExecution } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { aBlock, aCell, aSample, aUsage } from '../../support/builders.ts'

/** One loop takes `seconds`, or fails; gives the numbers of loops it was asked for. */
const open = async (
  seconds: number | 'failing',
  savedLoops: number | null,
  loops: 'auto' | number,
) => {
  const asked: number[] = []
  const memory: boolean[] = []
  const [first] = engines
  if (first === undefined) throw new Error('there is no engine')
  const engine: Engine = {
    ...first,
    prepare: async () => ({
      measure: async (request) => {
        asked.push(request.loops)
        memory.push(request.warmup)
        return seconds === 'failing'
          ? aSample({ outcome: 'failed', loops: request.loops })
          : aSample({ usage: aUsage({ wallSeconds: seconds }), loops: request.loops })
      },
    }),
  }
  const cell = await openCell(engine, aCell({ execution: { ...plainExecution, loops } }), {
    block: aBlock(),
    datasetDirectory: null,
    scratchDirectory: '/nowhere',
    copiesDirectory: '/nowhere',
    cpus: null,
    workingDirectory: '/nowhere',
    timeoutSeconds: 1,
    savedLoops,
    signal: new AbortController().signal,
    launcher: () => Promise.reject(new Error('no launcher in this test')),
  })
  await cell.setUp()
  const measure = (round: number, warmup: boolean) =>
    cell.measure({
      ...{ round, warmup, stackPaddingBytes: 0, timeoutSeconds: 1, cache: 'warm' as const },
    })
  return { asked, memory, measure, cell }
}

const share = (...opened: readonly { readonly cell: OpenCell }[]): Promise<void> =>
  shareLoops(
    opened.map(({ cell }) => cell),
    { timeoutSeconds: 1, cache: 'warm' },
  )

describe('inner repeats', () => {
  it('double until a sample of the baseline takes a tenth of a second, and hold for all cells', async () => {
    const [baseline, candidate] = [await open(0.01, null, 'auto'), await open(0.03, null, 'auto')]
    await share(baseline, candidate)
    for (const { measure } of [baseline, candidate]) {
      expect((await measure(1, true)).loops).toBe(16)
      expect((await measure(1, false)).loops).toBe(16)
    }
    expect(baseline.asked).toEqual([1, 2, 4, 8, 16, 16, 16])
    expect(candidate.asked).toEqual([16, 16])
    // Warmups are looked at for their memory, which slows them.
    expect(baseline.memory).toEqual([false, false, false, false, false, true, false])
  })

  it('are found out by the next cell where the baseline fails, and are one where all fail', async () => {
    const [failing, sound] = [await open('failing', null, 'auto'), await open(0.03, null, 'auto')]
    await share(failing, sound)
    expect((await failing.measure(1, true)).loops).toBe(4)
    const alone = await open('failing', null, 'auto')
    await share(alone)
    expect((await alone.measure(1, true)).loops).toBe(1)
  })

  it('are those of the saved samples when a block goes on', async () => {
    const opened = await open(0.01, 32, 'auto')
    await share(opened)
    await opened.measure(2, true)
    expect(opened.asked).toEqual([32])
  })

  it('are what the campaign says, whatever was saved', async () => {
    const opened = await open(0.01, 32, 3)
    await share(opened)
    await opened.measure(1, true)
    expect(opened.asked).toEqual([3])
  })

  it('end doubling where a command takes no time however often it is told', async () => {
    const opened = await open(0, null, 'auto')
    await share(opened)
    expect((await opened.measure(1, true)).loops).toBe(2 ** 30)
  })
})
