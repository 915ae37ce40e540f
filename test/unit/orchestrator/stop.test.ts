/** A worker that is stopped while it waits: for the host, or for a dataset. */
import { type Engine, engines } from '@assay/bench'
import { localDatasets, type WorkSite, work } from '@assay/orchestrator'
import { defaultPool } from '@assay/queue'
import { describe, expect, it, onTestFinished } from 'vitest'
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

const openRun = async () => {
  const process = openInProcess()
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
        engines: changed({
          prepare: async (_cell, { launcher }) => ({
            measure: async () => {
              await launcher()
              throw new Error('the lock was never free')
            },
          }),
        }),
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
