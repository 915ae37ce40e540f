/** Rounds that come together share a commit, and nothing else. */
import { digestOf, type Round } from '@assay/model'
import { openStore, type Store } from '@assay/store'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { blockOf, fault, openWithRun, roundOf, take } from './example-run.ts'

const cells = ['b1.c1', 'b1.c2']

const putGrouped = (store: Store, token: string, round: Round) =>
  store.rounds.putGrouped({ token, digest: digestOf(round), round })

const savedRounds = (store: Store): readonly number[] =>
  store.samples
    .ofRun('run-1', { limit: 1000, cursor: null })
    .samples.filter(({ cellId }) => cellId === 'b1.c1')
    .map(({ round }) => round)

it('twenty rounds of one turn are one commit, and each is answered by itself', async () => {
  const statements: string[] = []
  const { store } = openWithRun([blockOf('b1', [null, null])], (sql) => statements.push(sql))
  take(store, 'token')
  statements.length = 0
  const puts = Array.from({ length: 20 }, (_, at) =>
    putGrouped(store, 'token', roundOf(at + 1, cells)),
  )
  expect(savedRounds(store)).toEqual([])
  expect(await Promise.all(puts)).toEqual(Array.from({ length: 20 }, () => 'created'))
  expect(savedRounds(store)).toHaveLength(20)
  expect(statements.filter((sql) => /^begin immediate/i.test(sql))).toHaveLength(1)
})

it('a round that is refused takes none of its neighbours with it', async () => {
  const { store } = openWithRun()
  take(store, 'token')
  const settled = await Promise.allSettled([
    putGrouped(store, 'token', roundOf(1, cells)),
    putGrouped(store, 'stale', roundOf(2, cells)),
    putGrouped(store, 'token', roundOf(3, ['b1.c1', 'somewhere.else'])),
    putGrouped(store, 'token', roundOf(1, cells)),
    putGrouped(store, 'token', roundOf(1, ['b1.c1'])),
    putGrouped(store, 'token', roundOf(4, cells)),
  ])
  expect(settled).toEqual([
    { status: 'fulfilled', value: 'created' },
    { status: 'rejected', reason: fault('take-stale') },
    { status: 'rejected', reason: fault('round-foreign-cell') },
    { status: 'fulfilled', value: 'same' },
    { status: 'rejected', reason: fault('round-conflict') },
    { status: 'fulfilled', value: 'created' },
  ])
  expect(savedRounds(store)).toEqual([1, 4])
  expect(store.runs.progress('run-1').samples).toBe(4)
})

it('all fail, and none is there, when the commit does', async () => {
  const { store, path } = openWithRun()
  take(store, 'token')
  const blocker = new Database(path, { timeout: 0 })
  blocker.exec(
    'CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ROLLBACK, "full"); END',
  )
  const puts = [1, 2].map((number) => putGrouped(store, 'token', roundOf(number, cells)))
  const settled = await Promise.allSettled(puts)
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  blocker.exec('DROP TRIGGER full')
  blocker.close()
  expect(savedRounds(store)).toEqual([])
  expect(await putGrouped(store, 'token', roundOf(1, cells))).toBe('created')
})

it('what waits when the store is closed is committed first', async () => {
  const { store, path } = openWithRun()
  take(store, 'token')
  const waiting = putGrouped(store, 'token', roundOf(1, cells))
  store.close()
  expect(await waiting).toBe('created')
  const reader = openStore({ path, access: 'read', now: Date.now })
  expect(savedRounds(reader)).toEqual([1])
  reader.close()
})
