/** Inner repeats around an engine whose times are exact. */
import { type Engine, engines, openCell } from '@assay/bench'
import { plainExecution } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { aBlock, aCell, aSample, aUsage } from '../../support/builders.ts'

/** One loop takes `seconds`; gives the numbers of loops it was asked for. */
const open = async (seconds: number, savedLoops: number | null, loops: 'auto' | number) => {
  const asked: number[] = []
  const [first] = engines
  if (first === undefined) throw new Error('there is no engine')
  const engine: Engine = {
    ...first,
    prepare: async () => ({
      measure: async (request) => {
        asked.push(request.loops)
        return aSample({ usage: aUsage({ wallSeconds: seconds }), loops: request.loops })
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
  return { asked, measure }
}

describe('inner repeats', () => {
  it('double until a sample takes a tenth of a second, and stay there', async () => {
    const { asked, measure } = await open(0.01, null, 'auto')
    expect((await measure(1, true)).loops).toBe(16)
    await measure(1, false)
    expect(asked).toEqual([1, 2, 4, 8, 16, 16])
  })

  it('are those of the saved samples when a block goes on', async () => {
    const { asked, measure } = await open(0.01, 32, 'auto')
    await measure(2, true)
    expect(asked).toEqual([32])
  })

  it('are what the campaign says, whatever was saved', async () => {
    const { asked, measure } = await open(0.01, 32, 3)
    await measure(1, true)
    expect(asked).toEqual([3])
  })

  it('end doubling where a command takes no time however often it is told', async () => {
    const { measure } = await open(0, null, 'auto')
    expect((await measure(1, true)).loops).toBe(2 ** 30)
  })
})
