import type { Scope } from '@assay/model'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openWithRun } from './example-run.ts'

const aToken = (id: string, scopes: readonly Scope[] = ['run']) => ({
  ...{ id, hash: `hash of ${id}`, name: `token ${id}`, scopes, expiresAt: null },
})

describe('a token', () => {
  it('is found by the hash of its text alone, which no list shows', () => {
    const { store } = openWithRun([])
    const made = store.tokens.create(aToken('t1', ['run', 'review']))
    expect(made).toEqual({
      ...{ id: 't1', name: 'token t1', scopes: ['run', 'review'], createdAt: 1_000_000 },
      ...{ expiresAt: null, lastUsedAt: null, revokedAt: null },
    })
    expect(store.tokens.byHash('hash of t1')).toEqual(made)
    expect(store.tokens.byHash('t1')).toBeNull()
    expect(JSON.stringify(store.tokens.list())).not.toContain('hash of')
  })

  it('that is revoked stays what it is, and when that was does not change', () => {
    const { store, clock } = openWithRun([])
    store.tokens.create(aToken('t1'))
    const revoked = store.tokens.revoke('t1')
    clock.advance(1000)
    expect(store.tokens.revoke('t1')).toEqual(revoked)
    expect(store.tokens.list()).toEqual([revoked])
    expect(() => store.tokens.revoke('t2')).toThrow(
      expect.objectContaining({ code: 'token-not-found' }),
    )
  })

  it('has its use noted at most once a minute', () => {
    const { store, clock, path } = openWithRun([])
    store.tokens.create(aToken('t1'))
    const database = new Database(path, { readonly: true })
    const version = () => database.pragma('data_version', { simple: true })
    const use = (): number | null | undefined => {
      store.tokens.used('t1')
      return store.tokens.byHash('hash of t1')?.lastUsedAt
    }
    expect(use()).toBe(1_000_000)
    const before = version()
    clock.advance(59_000)
    expect(use()).toBe(1_000_000)
    expect(version()).toBe(before)
    clock.advance(1_000)
    expect(use()).toBe(1_060_000)
    expect(version()).not.toBe(before)
    database.close()
  })
})

describe('the audit log', () => {
  const anEntry = (action: string, status: number | null = 200) => ({
    ...{ who: { tokenId: 't1', name: 'n', address: '10.0.0.1' }, action, status },
    ...{ object: { run: 'r' }, requestId: 'req-1' },
  })

  it('is read in pages, newest first', () => {
    const { store } = openWithRun([])
    for (const action of ['one', 'two', 'three']) store.audit.record(anEntry(action))
    const first = store.audit.list({ limit: 2, cursor: null })
    expect(first.entries).toMatchObject([
      { id: 3, action: 'three', at: 1_000_000, object: { run: 'r' }, who: { tokenId: 't1' } },
      { id: 2 },
    ])
    const second = store.audit.list({ limit: 2, cursor: first.nextCursor })
    expect(second.entries.map(({ action }) => action)).toEqual(['one'])
    expect(second.nextCursor).toBeNull()
  })

  it('forgets old refusals, of which anybody can cause many, and never a change', () => {
    const { store, path } = openWithRun([])
    store.audit.record(anEntry('changed'))
    store.audit.record(anEntry('refused', 403))
    store.audit.record(anEntry('local', null))
    const database = new Database(path)
    // As if a hundred thousand had come in between.
    database.exec("UPDATE sqlite_sequence SET seq = 100498 WHERE name = 'audit'")
    database.close()
    store.audit.record(anEntry('refused lately', 401))
    store.audit.record(anEntry('changed lately'))
    const left = store.audit.list({ limit: 10, cursor: null }).entries
    expect(left.map(({ action }) => action)).toEqual([
      ...['changed lately', 'refused lately', 'local', 'changed'],
    ])
  })
})
