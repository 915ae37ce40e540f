import { describe, expect, it } from 'vitest'
import { blockOf, fault, openWithRun, planOf, put, roundOf, runOf, take } from './example-run.ts'

describe('creating a run', () => {
  it('freezes its plan', () => {
    const plan = planOf([blockOf('b1', [null, 'no rust here']), blockOf('b2', [null])])
    const { store } = openWithRun([])
    const run = store.runs.create({ run: runOf('frozen', { name: 'nightly' }), plan })
    expect(run).toEqual(runOf('frozen', { name: 'nightly' }))
    expect(store.runs.get('frozen')).toEqual({ ...run, plan })
    expect(store.blocks.queued()).toEqual([
      { runId: 'frozen', blockId: 'b1', position: 0, pool: 'default', priority: 0 },
      { runId: 'frozen', blockId: 'b2', position: 1, pool: 'default', priority: 0 },
    ])
  })

  it('ends at once what cannot be measured: cells, their block, and the run', () => {
    const { store } = openWithRun([blockOf('b1', [null, 'x']), blockOf('b2', ['x', 'y'])])
    expect(
      store.cells.ofRun('run-1').map((cell) => [cell.cellId, cell.status, cell.reason]),
    ).toEqual([
      ['b1.c1', 'queued', null],
      ['b1.c2', 'unsupported', 'x'],
      ['b2.c1', 'unsupported', 'x'],
      ['b2.c2', 'unsupported', 'y'],
    ])
    expect(store.blocks.get('run-1', 'b1')).toMatchObject({ status: 'queued', stopReason: null })
    expect(store.blocks.get('run-1', 'b2')).toMatchObject({
      status: 'done',
      stopReason: 'unsupported',
    })
    const nothing = store.runs.create({ run: runOf('run-2'), plan: planOf([blockOf('b1', ['x'])]) })
    expect(nothing).toMatchObject({ status: 'complete', finishedAt: 1_000_000 })
  })

  it('refuses an id or a name twice, reserved names, and a campaign that was not saved', () => {
    const { store } = openWithRun([])
    const create = (id: string, changes = {}) =>
      store.runs.create({ run: runOf(id, changes), plan: planOf([]) })
    create('run-2', { name: 'nightly' })
    expect(() => create('run-2')).toThrow(fault('run-exists', 'run-2'))
    expect(() => create('run-3', { name: 'nightly' })).toThrow(fault('run-name-taken', 'run-2'))
    for (const name of ['', 'latest', '@-1', '@x']) {
      expect(() => create('run-3', { name })).toThrow(fault('run-name-reserved'))
    }
    const unknown = { campaignDigest: 'unknown' }
    expect(() => create('run-3', unknown)).toThrow(fault('campaign-not-found', 'save it'))
    expect(() => store.runs.get('run-3')).toThrow(fault('run-not-found'))
  })
})

describe('finding a run', () => {
  const openWithThree = () => {
    const { store } = openWithRun([])
    store.runs.create({ run: runOf('abc-1', { name: 'run' }), plan: planOf([]) })
    store.runs.create({ run: runOf('abd-2'), plan: planOf([]) })
    return (reference: string) => store.runs.find(reference).id
  }

  it('goes by id, name, beginning of an id, and steps back from the latest', () => {
    const find = openWithThree()
    expect(find('abc-1')).toBe('abc-1')
    expect(find('run')).toBe('abc-1')
    expect(find('run-')).toBe('run-1')
    expect(find('abd')).toBe('abd-2')
    expect(find('latest')).toBe('abd-2')
    expect(find('@')).toBe('abd-2')
    expect(find('@-1')).toBe('abc-1')
    expect(find('@-2')).toBe('run-1')
  })

  it('says which runs a beginning could mean, and when there is none', () => {
    const find = openWithThree()
    expect(() => find('ab')).toThrow(fault('run-ambiguous', 'abc-1, abd-2'))
    for (const reference of ['', 'x', '@-3', '@-', '%', 'ab_']) {
      expect(() => find(reference)).toThrow(fault('run-not-found'))
    }
  })
})

describe('listing runs', () => {
  it('shows the newest first, page by page, each once', () => {
    const { store } = openWithRun([])
    for (const id of ['run-2', 'run-3', 'run-4', 'run-5'])
      store.runs.create({ run: runOf(id), plan: planOf([]) })
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const page = store.runs.list({ limit: 2, cursor })
      pages.push(page.runs.map((run) => run.id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(pages).toEqual([['run-5', 'run-4'], ['run-3', 'run-2'], ['run-1']])
    for (const bad of ['', 'x', '1.2', '-1']) {
      expect(() => store.runs.list({ limit: 2, cursor: bad })).toThrow(fault('bad-cursor'))
    }
  })

  it('counts how far each is, warmups apart', () => {
    const { store } = openWithRun([blockOf('b1', [null, null, 'x']), blockOf('b2', [null])])
    take(store, 't1')
    put(store, 't1', roundOf(1, ['b1.c1', 'b1.c2'], { warmup: true }))
    put(store, 't1', roundOf(1, ['b1.c2', 'b1.c1']))
    store.blocks.finish({
      token: 't1',
      stopReason: 'rounds',
      cells: [
        { cellId: 'b1.c1', status: 'measured', reason: null },
        { cellId: 'b1.c2', status: 'failed', reason: 'exit code 255' },
      ],
    })
    const progress = store.runs.progress('run-1')
    expect(progress).toMatchObject({
      id: 'run-1',
      status: 'running',
      blocks: { total: 2, finished: 1 },
      cells: { total: 4, measured: 1, failed: 1, unsupported: 1 },
      samples: 2,
    })
    expect(store.runs.list({ limit: 10, cursor: null })).toEqual({
      runs: [progress],
      nextCursor: null,
    })
    expect(store.runs.openRuns().map((run) => run.id)).toEqual(['run-1'])
  })
})

describe('ending a run early', () => {
  it('cancelling skips what is open, keeps what ended, and makes tokens worthless', () => {
    const { store, clock } = openWithRun([blockOf('b1', [null, 'x']), blockOf('b2', [null])])
    take(store, 't1')
    put(store, 't1', roundOf(1, ['b1.c1']))
    clock.advance(5)
    expect(store.runs.cancel('run-1')).toMatchObject({ status: 'cancelled', finishedAt: 1_000_005 })
    expect(store.cells.ofRun('run-1').map((cell) => cell.status)).toEqual([
      'skipped',
      'unsupported',
      'skipped',
    ])
    expect(store.blocks.listOf('run-1').map((block) => block.status)).toEqual(['dead', 'dead'])
    expect(store.blocks.queued()).toEqual([])
    expect(store.blocks.renew({ token: 't1', leaseMillis: 1000 })).toMatchObject({
      cancelled: true,
    })
    expect(() => put(store, 't1', roundOf(2, ['b1.c1']))).toThrow(fault('take-stale', 'cancelled'))
    expect(() => put(store, 't1', roundOf(1, ['b1.c1']))).toThrow(fault('take-stale', 'cancelled'))
    expect(() => take(store, 't2')).toThrow(fault('run-terminal'))
  })

  it('what is terminal never changes', () => {
    const { store, clock } = openWithRun()
    const cancelled = store.runs.cancel('run-1')
    clock.advance(5)
    expect(store.runs.cancel('run-1')).toEqual(cancelled)
    for (const status of ['running', 'complete', 'cancelled'] as const) {
      expect(() => store.runs.setStatus('run-1', status, null)).toThrow(fault('run-terminal'))
    }
    const done = store.runs.create({ run: runOf('done'), plan: planOf([]) })
    expect(done.status).toBe('complete')
    expect(() => store.runs.cancel('done')).toThrow(fault('run-terminal', 'complete'))
    expect(() => store.blocks.requeueAll('done')).toThrow(fault('run-terminal'))
    expect(store.runs.find('done')).toEqual(done)
  })

  it('a run that is failed by decree says why, in its cells too', () => {
    const { store } = openWithRun()
    store.runs.setStatus('run-1', 'running', null)
    expect(store.runs.setStatus('run-1', 'failed', 'no engine')).toMatchObject({
      reason: 'no engine',
    })
    expect(store.cells.ofRun('run-1')[0]).toMatchObject({ status: 'skipped', reason: 'no engine' })
  })
})
