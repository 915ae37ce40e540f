import type { CellEnd } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { blockOf, fault, hostOf, openWithRun, planOf, put, roundOf, take } from './example-run.ts'

const cells = ['b1.c1', 'b1.c2']
const ended = (status: CellEnd['status'], reason: string | null = null): CellEnd[] =>
  cells.map((cellId) => ({ cellId, status, reason }))

describe('taking a block', () => {
  it('hands out what is to be measured', () => {
    const { store } = openWithRun()
    const { sampling, seed } = planOf([])
    expect(take(store, 't1')).toEqual({
      take: {
        ...{ token: 't1', runId: 'run-1', blockId: 'b1', number: 1, worker: 'worker-1' },
        ...{ savedRounds: 0, savedWarmups: 0, leaseUntil: 1_060_000 },
        fingerprint: hostOf('host-a'),
      },
      block: blockOf('b1', [null, null]),
      sampling,
      seed,
      leaseMillis: 60_000,
      metric: 'wallSeconds',
      rounds: [],
    })
    expect(store.blocks.get('run-1', 'b1')).toMatchObject({ status: 'taken', attempts: 1 })
    expect(store.blocks.queued()).toEqual([])
  })

  it('is refused while the holder is alive, and allowed as soon as the lease has run out', () => {
    const { store, clock } = openWithRun()
    take(store, 't1')
    expect(() => take(store, 't2')).toThrow(fault('take-held', 'worker-1'))
    clock.advance(59_999)
    expect(() => take(store, 't2')).toThrow(fault('take-held'))
    clock.advance(1)
    expect(take(store, 't2').take.number).toBe(1)
    expect(() => put(store, 't1', roundOf(1, cells))).toThrow(fault('take-stale', 'worker-1 took'))
  })

  it('gives the same answer to the same token, and refuses a token that was used before', () => {
    const { store } = openWithRun()
    const first = take(store, 't1')
    expect(take(store, 't1')).toEqual(first)
    expect(store.blocks.get('run-1', 'b1').attempts).toBe(1)
    store.blocks.release({ token: 't1' })
    expect(() => take(store, 't1')).toThrow(fault('take-stale', 'used before'))
  })

  it('goes on with the same take on the same host, under the new token only', () => {
    const { store } = openWithRun()
    take(store, 't1')
    put(store, 't1', roundOf(1, cells, { warmup: true }))
    put(store, 't1', roundOf(1, cells))
    put(store, 't1', roundOf(2, ['b1.c2', 'b1.c1']))
    store.blocks.release({ token: 't1' })
    const { take: resumed, rounds } = take(store, 't2', { worker: 'worker-2' })
    expect(resumed).toMatchObject({
      number: 1,
      savedRounds: 2,
      savedWarmups: 1,
      worker: 'worker-2',
    })
    expect(rounds).toEqual([roundOf(1, cells), roundOf(2, ['b1.c2', 'b1.c1'])])
    expect(() => put(store, 't1', roundOf(3, cells))).toThrow(fault('take-stale', 'gave it back'))
    expect(put(store, 't2', roundOf(2, cells, { warmup: true }))).toBe('created')
    expect(put(store, 't2', roundOf(3, cells))).toBe('created')
  })

  it('starts anew on another host, also when a block comes back to the first', () => {
    const { store } = openWithRun()
    for (const [index, host] of ['host-a', 'host-b', 'host-a'].entries()) {
      const taken = take(store, `t${index}`, { host })
      expect(taken.take.number).toBe(index + 1)
      expect(taken.rounds).toEqual([])
      put(store, `t${index}`, roundOf(1, cells))
      store.blocks.release({ token: `t${index}` })
    }
  })

  it('names what is not there, and what is over', () => {
    const { store } = openWithRun()
    expect(() => take(store, 't', { runId: 'none' })).toThrow(fault('run-not-found'))
    expect(() => take(store, 't', { blockId: 'b9' })).toThrow(fault('block-not-found', 'b9'))
    const two = openWithRun([blockOf('b1', ['x']), blockOf('b2', [null])]).store
    expect(() => take(two, 't')).toThrow(fault('block-terminal', 'done'))
  })
})

describe('holding a block', () => {
  it('lasts as long as the lease is renewed', () => {
    const { store, clock } = openWithRun()
    take(store, 't1')
    clock.advance(50_000)
    expect(store.blocks.renew({ token: 't1', leaseMillis: 60_000 })).toEqual({
      leaseUntil: 1_110_000,
      cancelled: false,
    })
    clock.advance(50_000)
    expect(store.blocks.requeueExpired()).toBe(0)
    clock.advance(10_000)
    expect(store.blocks.requeueExpired()).toBe(1)
    expect(store.blocks.requeueExpired()).toBe(0)
    expect(store.blocks.queued()).toMatchObject([{ blockId: 'b1' }])
    const renewal = { token: 't1', leaseMillis: 60_000 }
    expect(() => store.blocks.renew(renewal)).toThrow(fault('take-stale', 'lease ran out'))
  })

  it('is over for every token of a run that is resumed', () => {
    const { store } = openWithRun([
      blockOf('b1', [null]),
      blockOf('b2', [null]),
      blockOf('b3', [null]),
    ])
    take(store, 't1', { blockId: 'b2' })
    take(store, 't3', { blockId: 'b3' })
    store.blocks.finish({
      token: 't3',
      stopReason: 'rounds',
      cells: [{ cellId: 'b3.c1', status: 'measured', reason: null }],
    })
    expect(store.blocks.requeueAll('run-1').map((block) => block.blockId)).toEqual(['b1', 'b2'])
    expect(() => store.blocks.release({ token: 't1' })).toThrow(fault('take-stale', 'resumed'))
  })

  it('never allowed anything to a token that was never given out', () => {
    const { store } = openWithRun()
    expect(() => put(store, 'guess', roundOf(1, cells))).toThrow(fault('take-stale', 'unknown'))
    expect(() => store.blocks.release({ token: 'guess' })).toThrow(fault('take-stale'))
    expect(() => store.blocks.renew({ token: 'guess', leaseMillis: 1 })).toThrow(
      fault('take-stale'),
    )
  })
})

describe('finishing a block', () => {
  const finish = (store: ReturnType<typeof openWithRun>['store'], ends: readonly CellEnd[]) =>
    store.blocks.finish({ token: 't1', stopReason: 'precise', cells: ends })

  it('ends its cells, and with the last block the run', () => {
    const { store, clock } = openWithRun([blockOf('b1', [null, null]), blockOf('b2', [null])])
    take(store, 't1')
    expect(finish(store, ended('measured'))).toBe('planned')
    expect(store.blocks.get('run-1', 'b1')).toMatchObject({ status: 'done', stopReason: 'precise' })
    clock.advance(7)
    take(store, 't2', { blockId: 'b2' })
    const cell = { cellId: 'b2.c1', status: 'failed', reason: 'crash' } as const
    expect(store.blocks.finish({ token: 't2', stopReason: 'failed', cells: [cell] })).toBe(
      'complete',
    )
    expect(store.runs.find('run-1')).toMatchObject({ status: 'complete', finishedAt: 1_000_007 })
  })

  it('changes nothing the second time', () => {
    const { store } = openWithRun()
    take(store, 't1')
    expect(finish(store, ended('measured'))).toBe('complete')
    expect(finish(store, ended('failed', 'late'))).toBe('complete')
    expect(store.cells.ofRun('run-1').map((cell) => cell.status)).toEqual(['measured', 'measured'])
    expect(() => put(store, 't1', roundOf(1, cells))).toThrow(fault('take-stale', 'done'))
  })

  it('fails the run if everything that could be measured failed', () => {
    const { store } = openWithRun([blockOf('b1', [null, null, 'not here'])])
    take(store, 't1')
    expect(finish(store, ended('failed', 'exit code 255'))).toBe('failed')
    expect(store.runs.find('run-1').reason).toContain('b1.c1: exit code 255')
  })

  it('asks for the end of every cell, and of no other, or nothing happens', () => {
    const { store } = openWithRun()
    take(store, 't1')
    expect(() => finish(store, ended('measured').slice(1))).toThrow(
      fault('finish-incomplete', 'b1.c1'),
    )
    const foreign = { cellId: 'b2.c1', status: 'measured', reason: null } as const
    expect(() => finish(store, [...ended('measured'), foreign])).toThrow(
      fault('finish-foreign-cell'),
    )
    expect(store.cells.ofRun('run-1').map((cell) => cell.status)).toEqual(['queued', 'queued'])
    expect(finish(store, ended('measured'))).toBe('complete')
  })

  it('leaves an unsupported cell as it was planned', () => {
    const { store } = openWithRun([blockOf('b1', [null, 'no rust here'])])
    take(store, 't1')
    expect(finish(store, ended('measured'))).toBe('complete')
    expect(store.cells.ofRun('run-1')[1]).toMatchObject({
      status: 'unsupported',
      reason: 'no rust here',
    })
  })
})
