/** Workers, pools, lost attempts, and the events that tell of them. */
import { assayVersion, type RunChange } from '@assay/model'
import type { Store } from '@assay/store'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import {
  blockOf,
  fault,
  hostOf,
  openWithRun,
  planOf,
  put,
  roundOf,
  runOf,
  take,
} from './example-run.ts'

const register = (store: Store, name: string, pool = 'default'): void =>
  store.workers.register({ name, pool, version: assayVersion, fingerprint: hostOf(name) })

const eventsOf = (store: Store, runId = 'run-1'): readonly RunChange[] =>
  store.events.after({ after: 0, limit: 1000, runId })

/** Takes the block and lets the lease run out, having saved these rounds. */
const loseOnce = (
  at: ReturnType<typeof openWithRun>,
  token: string,
  rounds: readonly number[] = [],
) => {
  take(at.store, token)
  for (const number of rounds) put(at.store, token, roundOf(number, ['b1.c1', 'b1.c2']))
  at.clock.advance(60_001)
  at.store.blocks.requeueExpired()
}

describe('workers', () => {
  it('are alive while they ask, take or renew, and are listed with what they measure', () => {
    const { store, clock } = openWithRun()
    register(store, 'worker-1')
    register(store, 'worker-2')
    clock.advance(80_000)
    take(store, 't1')
    expect(store.workers.list()).toMatchObject([
      {
        name: 'worker-1',
        alive: true,
        lastSeenAt: 1_080_000,
        block: { runId: 'run-1', blockId: 'b1' },
      },
      { name: 'worker-2', alive: true, lastSeenAt: 1_000_000, block: null },
    ])
    clock.advance(20_000)
    store.blocks.renew({ token: 't1', leaseMillis: 60_000 })
    expect(store.workers.list()).toMatchObject([
      { alive: true, lastSeenAt: 1_100_000 },
      { alive: false },
    ])
    store.workers.seen('worker-2')
    store.workers.seen('nobody')
    expect(store.workers.list().map(({ name, alive }) => [name, alive])).toEqual([
      ['worker-1', true],
      ['worker-2', true],
    ])
  })

  it('are replaced by one of the same name, and forgotten after a month', () => {
    const { store, clock } = openWithRun()
    register(store, 'worker-1', 'arm')
    register(store, 'worker-1', 'x86')
    expect(store.workers.list()).toMatchObject([{ pool: 'x86' }])
    clock.advance(31 * 86_400_000)
    register(store, 'worker-2')
    expect(store.workers.list().map(({ name }) => name)).toEqual(['worker-2'])
  })
})

describe('pools', () => {
  it('are those of open blocks, of workers, and those that are paused', () => {
    const blocks = [blockOf('b1', [null]), { ...blockOf('b2', [null]), pool: 'arm' }]
    const { store } = openWithRun(blocks)
    register(store, 'worker-1', 'x86')
    store.jobs.pause('idle')
    take(store, 't1')
    const none = { waiting: 0, measuring: 0, paused: false, workers: 0 }
    expect(store.pools.list()).toEqual([
      { ...none, pool: 'arm', waiting: 1 },
      { ...none, pool: 'default', measuring: 1 },
      { ...none, pool: 'idle', paused: true },
      { ...none, pool: 'x86', workers: 1 },
    ])
    expect(store.blocks.queued()).toMatchObject([{ blockId: 'b2', pool: 'arm', priority: 0 }])
  })
})

describe('a block that is lost again and again', () => {
  it('dies at the fifth time in a row without a round, and its run ends with it', () => {
    const at = openWithRun()
    for (const token of ['t1', 't2', 't3', 't4']) loseOnce(at, token)
    expect(at.store.blocks.get('run-1', 'b1').status).toBe('queued')
    loseOnce(at, 't5')
    const [block] = at.store.blocks.showOf('run-1')
    const reason = '5 attempts in a row saved no round; the last: its lease ran out'
    expect(block).toMatchObject({ status: 'dead', attempts: 5, reason })
    expect(block?.failures).toEqual(
      ['b1.c1', 'b1.c2'].map((cellId) => ({ cellId, reason, stderr: '' })),
    )
    expect(at.store.runs.get('run-1')).toMatchObject({ status: 'failed' })
    expect(() => take(at.store, 't6')).toThrow(fault('run-terminal'))
  })

  it('goes on for ever while each attempt saves a round', () => {
    const at = openWithRun()
    for (let attempt = 1; attempt <= 12; attempt += 1) loseOnce(at, `t${attempt}`, [attempt])
    expect(at.store.blocks.get('run-1', 'b1')).toMatchObject({ status: 'queued', attempts: 12 })
  })

  it('is not lost by workers that give it back in good order, but by those that say why', () => {
    const { store } = openWithRun()
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      take(store, `t${attempt}`)
      store.blocks.release({ token: `t${attempt}` })
    }
    expect(store.blocks.get('run-1', 'b1').status).toBe('queued')
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      take(store, `u${attempt}`)
      store.blocks.release({ token: `u${attempt}`, reason: 'the launcher died' })
    }
    const { status, reason } = store.blocks.get('run-1', 'b1')
    expect({ status, reason }).toMatchObject({
      ...{ status: 'dead', reason: expect.stringContaining('the last: the launcher died') },
    })
    const [first, ...more] = store.blocks.takes('run-1', 'b1')
    expect(more).toEqual([])
    expect(first?.attempts.map((attempt) => attempt.reason).slice(7, 9)).toEqual([
      'its worker gave it back',
      'the launcher died',
    ])
  })
})

describe('events', () => {
  it('tell the whole life of a run, in order, each under a number of its own', () => {
    const { store } = openWithRun([blockOf('b1', [null, null])])
    take(store, 't1')
    put(store, 't1', roundOf(1, ['b1.c1', 'b1.c2']))
    store.blocks.finish({
      ...{ token: 't1', stopReason: 'rounds' },
      cells: [
        { cellId: 'b1.c1', status: 'measured', reason: null },
        { cellId: 'b1.c2', status: 'failed', reason: 'it broke' },
      ],
    })
    const events = eventsOf(store)
    const told = events.map(({ id: _id, at: _at, runId: _runId, ...event }) => Object.values(event))
    expect(told.map((values) => values.filter((value) => value !== null).join(' '))).toEqual([
      'run planned',
      'block b1 taken 1 worker-1',
      'run running',
      'round b1 1 1 false 2 0',
      'cell b1 b1.c1 measured',
      'cell b1 b1.c2 failed it broke',
      'block b1 done 1 worker-1 rounds',
      'run complete',
    ])
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right))
    const [, second = 0] = ids
    expect(store.events.after({ after: second, limit: 2 }).map(({ id }) => id)).toEqual(
      ids.slice(2, 4),
    )
  })

  it('are told of once they are committed, and not when the change was refused', () => {
    const { store } = openWithRun()
    let calls = 0
    const stop = store.events.onChange(() => {
      calls += 1
      expect(eventsOf(store).at(-1)).toMatchObject({ type: 'block' })
    })
    take(store, 't1')
    expect(calls).toBe(1)
    expect(() => take(store, 't2')).toThrow(fault('take-held'))
    expect(calls).toBe(1)
    stop()
    store.blocks.release({ token: 't1' })
    expect(calls).toBe(1)
  })

  it('are kept up to a hundred thousand, the newest', () => {
    const { store, path } = openWithRun()
    const database = new Database(path)
    database.exec("UPDATE sqlite_sequence SET seq = 149999 WHERE name = 'event'")
    database.close()
    take(store, 't1')
    store.blocks.release({ token: 't1' })
    expect(store.events.range()).toEqual({ oldest: 150_000, newest: 150_001 })
    expect(eventsOf(store).map(({ id }) => id)).toEqual([150_000, 150_001])
  })

  it('are those of one run when asked for one', () => {
    const { store } = openWithRun()
    store.runs.create({ run: runOf('run-2'), plan: planOf([]) })
    expect(eventsOf(store, 'run-2').map(({ runId }) => runId)).toEqual(['run-2', 'run-2'])
    expect(eventsOf(store).map(({ runId }) => runId)).toEqual(['run-1'])
    expect(store.events.range()).toEqual({ oldest: 1, newest: 3 })
  })
})

describe('a run', () => {
  it('is found by its labels, status and campaign, and keeps its priority', () => {
    const { store } = openWithRun()
    const labels = { branch: 'default', change: '522b4d729e89' }
    store.runs.create({
      run: runOf('run-2', { labels, priority: 7 }),
      plan: planOf([blockOf('b1', [null])]),
    })
    const idsOf = (filter: object) =>
      store.runs.list({ limit: 10, cursor: null, ...filter }).runs.map(({ id }) => id)
    expect(idsOf({ label: { key: 'branch', value: 'default' } })).toEqual(['run-2'])
    expect(idsOf({ label: { key: 'branch', value: 'stable' } })).toEqual([])
    expect(idsOf({ status: 'planned', campaign: 'mmap' })).toEqual(['run-2', 'run-1'])
    expect(idsOf({ campaign: 'other' })).toEqual([])
    expect(store.runs.get('run-2')).toMatchObject({ labels, priority: 7 })
    expect(store.blocks.queued().map(({ priority }) => priority)).toEqual([0, 7])
  })

  it('that is marked invalid keeps its numbers and says why, until it is unmarked', () => {
    const { store, clock } = openWithRun()
    clock.advance(5)
    expect(store.runs.mark('run-1', 'the fan was broken').invalid).toEqual({
      ...{ reason: 'the fan was broken', at: 1_000_005 },
    })
    expect(store.runs.find('latest').invalid?.reason).toBe('the fan was broken')
    expect(store.runs.mark('run-1', null).invalid).toBeNull()
  })

  it('that a client asked for under a key is found by that key, for two days', () => {
    const { store, clock } = openWithRun()
    const asked = { key: 'k1', requestDigest: 'd1' }
    store.runs.create({ run: runOf('run-2'), plan: planOf([]), asked })
    expect(store.runs.asked('k1')).toEqual({ runId: 'run-2', requestDigest: 'd1' })
    expect(store.runs.asked('k2')).toBeNull()
    clock.advance(2 * 86_400_000 + 1)
    store.runs.create({ run: runOf('run-3'), plan: planOf([]), asked: { ...asked, key: 'k3' } })
    expect(store.runs.asked('k1')).toBeNull()
  })
})
