/** A worker that is stopped, or loses its lease, while it waits: for the host, or for a dataset. */
import { type Engine, engines } from '@assay/bench'
import { openLauncher } from '@assay/measure'
import { type Listener, localDatasets, type WorkSite, work } from '@assay/orchestrator'
import { defaultPool } from '@assay/queue'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openInProcess } from '../../support/in-process.ts'

const yaml = (script: string): string => `
compare: { mode: { before: no-mmap, after: mmap-populate } }
engines: [{ fake: ${script} }]
datasets: { large: { generate: mercurial-like, scale: 1 } }
benchmarks: [{ name: hg.command.log, with: { limit-rev: 1 } }]
sampling: { rounds: 3, warmups: 0 }
`

/** The fake engine, changed: all that a test needs of a real one. */
const changed = (change: Partial<Engine>): Engine[] =>
  engines.map((engine) => ({ ...engine, ...change }))

/** The fake engine, which opens the launcher before it measures, as engines with a child do. */
const launching = changed({
  prepare: async (_cell, { launcher }) => ({
    measure: async () => {
      await launcher()
      throw new Error('the lock was never free')
    },
  }),
})

const openRun = async (onEvent: Listener = () => undefined) => {
  const process = openInProcess({ onEvent })
  onTestFinished(() => process.close())
  const script = process.write(
    'script.json',
    JSON.stringify(['before', 'after'].map((label) => ({ headings: {}, label, seconds: [1] }))),
  )
  const { id } = await process.start(yaml(script))
  return { ...process, id }
}

describe('work that is stopped', () => {
  it.each([
    [
      'while it waits for the host lock',
      async (stop: AbortController): Promise<Partial<WorkSite>> => ({
        engines: launching,
        openLauncher: (signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
            setTimeout(() => stop.abort(), 10)
          }),
      }),
    ],
    [
      'while a dataset is generated',
      async (stop: AbortController, directory: string): Promise<Partial<WorkSite>> => ({
        engines: changed({ readsDataset: true }),
        openLauncher: () => openLauncher({ hostLock: null }),
        datasets: localDatasets(directory, () => setTimeout(() => stop.abort(), 1)),
      }),
    ],
  ])('%s gives the block back, with no cell failed', async (_when, change) => {
    const run = await openRun()
    const stop = new AbortController()
    const site = { ...run.site, ...(await change(stop, run.directory)) }
    const ended = work(run.courier, site, {
      ...{ pool: defaultPool, waitMillis: 50, stop: stop.signal, goOn: () => true },
    })
    await ended
    expect(run.store.blocks.listOf(run.id)).toMatchObject([{ status: 'queued' }])
    expect(run.store.cells.ofRun(run.id).map(({ status }) => status)).toEqual(['queued', 'queued'])
    expect(await run.courier.depth()).toBe(1)
  })
})

describe('a lease whose renewals get no answer at all', () => {
  it('is given up after 45 seconds, and the measuring with it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let seconds = 0
    let abortedAt: number | null = null
    const reasons: string[] = []
    const run = await openRun((event) => {
      if (event.type === 'block-given-up') reasons.push(event.reason)
    })
    let isWaiting = (): void => undefined
    const waiting = new Promise<void>((resolve) => {
      isWaiting = resolve
    })
    const ended = work(
      run.courier,
      {
        ...run.site,
        engines: launching,
        bootMillis: () => seconds * 1000,
        sink: { ...run.site.sink, renew: () => new Promise(() => undefined) },
        openLauncher: (signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              abortedAt = seconds
              reject(signal.reason)
            })
            isWaiting()
          }),
      },
      {
        ...{ pool: defaultPool, waitMillis: 1, stop: new AbortController().signal },
        goOn: () => reasons.length === 0,
      },
    )
    await waiting
    while (abortedAt === null && seconds < 120) {
      seconds += 1
      vi.advanceTimersByTime(1000)
    }
    await ended
    expect(reasons).toEqual([expect.stringContaining('could not be renewed for 45 s')])
    expect(abortedAt).toBeGreaterThanOrEqual(45)
    expect(abortedAt).toBeLessThan(60)
  })
})

/** The fake engine, telling of each sample before it is taken. */
const telling = (onSample: (round: number) => void) =>
  engines.map(
    (engine): Engine => ({
      ...engine,
      async prepare(cell, site) {
        const prepared = await engine.prepare(cell, site)
        return {
          measure: async (request) => {
            if (!request.warmup) onSample(request.round)
            return prepared.measure(request)
          },
        }
      },
    }),
  )

describe('a worker that is drained', () => {
  it('finishes the round in flight, saves it, gives the block back and takes no other', async () => {
    const run = await openRun()
    const drain = new AbortController()
    const samples: number[] = []
    const drained = telling((round) => {
      samples.push(round)
      if (round === 2) drain.abort()
    })
    await work(
      run.courier,
      { ...run.site, engines: drained },
      {
        ...{ pool: defaultPool, waitMillis: 50, goOn: () => true },
        ...{ stop: new AbortController().signal, drain: drain.signal },
      },
    )
    // Two samples a round: the second round is whole, the third was never begun.
    expect(samples).toEqual([1, 1, 2, 2])
    expect(run.store.blocks.listOf(run.id)).toMatchObject([{ status: 'queued' }])
    expect(run.store.samples.ofRun(run.id, { limit: 10, cursor: null }).samples).toHaveLength(4)
    expect(await run.courier.depth()).toBe(1)
    await run.workOff(run.id)
    expect(run.store.runs.find(run.id).status).toBe('complete')
  })
})

describe('a worker that stood still for longer than its lease', () => {
  it('takes no further sample, though its timers have not rung yet', async () => {
    const reasons: string[] = []
    const run = await openRun((event) => {
      if (event.type === 'block-given-up') reasons.push(event.reason)
    })
    let bootMillis = 0
    const samples: number[] = []
    const stopped = telling((round) => {
      samples.push(round)
      // As a SIGSTOP does that lasts a minute: the clock goes on, no timer of this process does.
      if (samples.length === 3) bootMillis += 60_000
    })
    await work(
      run.courier,
      { ...run.site, engines: stopped, bootMillis: () => bootMillis },
      {
        ...{ pool: defaultPool, waitMillis: 50, stop: new AbortController().signal },
        goOn: () => reasons.length === 0,
      },
    )
    expect(reasons).toEqual([expect.stringContaining('could not be renewed for 45 s')])
    expect(samples).toEqual([1, 1, 2])
  })
})

describe('local datasets', () => {
  it('are tried again after a failure', async () => {
    const run = await openRun()
    const provide = localDatasets(run.directory, () => undefined)
    const spec = { name: 'x', generate: 'changelog-only', scale: 0.0001, format: [], seed: '1' }
    const aborted = AbortSignal.abort(new Error('called off'))
    await expect(provide(spec, aborted)).rejects.toThrow('called off')
    await expect(provide(spec, new AbortController().signal)).resolves.toContain('repository')
  })
})
