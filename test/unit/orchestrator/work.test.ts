/** What a worker does with a block that stops it. */
import { type Engine, engines } from '@assay/bench'
import { AssayError } from '@assay/model'
import { type WorkSite, work } from '@assay/orchestrator'
import { defaultPool } from '@assay/queue'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openInProcess } from '../../support/in-process.ts'

/** Two blocks; what stops the first does not concern the second. */
const yaml = (script: string, rounds: number): string => `
compare: { mode: { before: no-mmap, after: mmap-populate } }
engines: [{ fake: ${script} }]
datasets: { tiny: { generate: mercurial-like, scale: 0.002 } }
benchmarks: [{ name: hg.command.log, with: { limit-rev: [1, 10] } }]
sampling: { rounds: ${rounds}, warmups: 0 }
`

/** The fake engine, whose measuring of block b1 rejects for as long as `error` gives something. */
const stoppedEngine = (error: () => Error | null): Engine[] =>
  engines.map((engine) => ({
    ...engine,
    async prepare(cell, site) {
      const prepared = await engine.prepare(cell, site)
      return {
        async measure(request) {
          const thrown = site.block.id === 'b1' ? error() : null
          if (thrown !== null) throw thrown
          return prepared.measure(request)
        },
      }
    },
  }))

const died = (): AssayError =>
  new AssayError({ code: 'launcher-died', kind: 'unmeasurable', message: 'the launcher died' })

const openStopped = async (error: () => Error | null, rounds = 3) => {
  const process = openInProcess()
  onTestFinished(() => process.close())
  const script = process.write(
    'script.json',
    JSON.stringify(['before', 'after'].map((label) => ({ headings: {}, label, seconds: [1] }))),
  )
  const { id } = await process.start(yaml(script, rounds))
  const statuses = () => process.store.blocks.listOf(id).map(({ status }) => status)
  const site: WorkSite = { ...process.site, engines: stoppedEngine(error) }
  const goOn = () => statuses().some((status) => status === 'queued' || status === 'taken')
  const stop = new AbortController().signal
  const workOff = () =>
    work(process.courier, site, { pool: defaultPool, waitMillis: 50, stop, goOn })
  return { ...process, id, statuses, workOff }
}

describe('a block whose launcher dies', () => {
  it('once is measured again, and the run completes as if nothing had been', async () => {
    let deaths = 0
    const stopped = await openStopped(() => {
      deaths += 1
      return deaths === 1 ? died() : null
    })
    await stopped.workOff()
    expect(stopped.store.cells.ofRun(stopped.id).map(({ status }) => status)).toEqual([
      ...['measured', 'measured', 'measured', 'measured'],
    ])
  })

  it('again and again, but always after another round, is measured to its end', async () => {
    let samples = 0
    const stopped = await openStopped(() => {
      samples += 1
      // A round of b1 has two samples: each third one dies, after a round that was saved.
      return samples % 3 === 0 ? died() : null
    }, 4)
    await stopped.workOff()
    expect(stopped.store.cells.ofRun(stopped.id).map(({ status }) => status)).toEqual([
      ...['measured', 'measured', 'measured', 'measured'],
    ])
    expect(stopped.store.blocks.get(stopped.id, 'b1').attempts).toBeGreaterThan(3)
  })

  it('each time fails with that reason, and the other blocks are measured', async () => {
    let deaths = 0
    const stopped = await openStopped(() => {
      deaths += 1
      return died()
    })
    await stopped.workOff()
    expect(deaths).toBe(3)
    expect(stopped.store.cells.ofRun(stopped.id)).toMatchObject([
      { status: 'failed', reason: 'the launcher died' },
      { status: 'failed', reason: 'the launcher died' },
      { status: 'measured' },
      { status: 'measured' },
    ])
    expect(stopped.store.runs.get(stopped.id).status).toBe('complete')
  })
})

describe('an error that is not about a block', () => {
  it.each([
    new AssayError({ code: 'host-lock-failed', kind: 'unmeasurable', message: 'no lock' }),
    new TypeError('a mistake of ours'),
  ])('ends the work, with the block given back: %s', async (error) => {
    const stopped = await openStopped(() => error)
    await expect(stopped.workOff()).rejects.toBe(error)
    expect(stopped.statuses()).toEqual(['queued', 'queued'])
    expect(await stopped.courier.depth()).toBe(2)
  })
})
