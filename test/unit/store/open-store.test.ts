import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openStore } from '@assay/store'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fault, openWithRun, planOf, runOf, stillClock, storePath, yaml } from './example-run.ts'

const { now } = stillClock()
const openWriter = (path: string) => {
  const store = openStore({ path, access: 'write', now })
  onTestFinished(() => store.close())
  return store
}
const openReader = (path: string) => {
  const store = openStore({ path, access: 'read', now })
  onTestFinished(() => store.close())
  return store
}
const change = (path: string, sql: string): void => {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

describe('opening for writing', () => {
  it('makes the folder and the file, and keeps what is in it', () => {
    const path = join(storePath(), 'deep', 'er', 'assay.db')
    const store = openWriter(path)
    store.campaigns.save({ name: 'mmap', yaml })
    store.close()
    expect(openWriter(path).campaigns.get('mmap')?.yaml).toBe(yaml)
  })

  it('syncs every commit, in a write-ahead log, with foreign keys enforced', () => {
    const seen: string[] = []
    const { path } = openWithRun([], (sql) => seen.push(sql))
    expect(seen).toContain('PRAGMA synchronous = FULL')
    expect(seen).toContain('PRAGMA foreign_keys = ON')
    const reader = new Database(path, { readonly: true })
    expect(reader.pragma('journal_mode', { simple: true })).toBe('wal')
    reader.close()
  })

  it('refuses a second writer, names the first and what to do', () => {
    const path = storePath()
    const first = openWriter(path)
    expect(() => openWriter(path)).toThrow(fault('store-busy', `process ${process.pid}`))
    expect(() => openWriter(path)).toThrow(fault('store-busy', 'POST /api/v1/runs'))
    first.close()
    expect(openWriter(path).runs.openRuns()).toEqual([])
  })

  it('refuses a store of a later program and leaves it as it is', () => {
    const path = storePath()
    openWriter(path).close()
    change(path, 'PRAGMA user_version = 99')
    expect(() => openWriter(path)).toThrow(fault('store-too-new', '99'))
    expect(() => openReader(path)).toThrow(fault('store-too-new', '99'))
  })

  it('refuses the database of another program and adds nothing to it', () => {
    const path = storePath()
    change(path, 'CREATE TABLE theirs (x)')
    expect(() => openWriter(path)).toThrow(fault('store-corrupt', 'another program'))
    const tables = new Database(path).prepare('SELECT name FROM sqlite_schema').pluck().all()
    expect(tables).toEqual(['theirs'])
    expect(new Database(path).pragma('journal_mode', { simple: true })).toBe('delete')
  })

  it('says what to do where nothing can be opened', () => {
    const path = storePath()
    writeFileSync(path, '')
    expect(() => openWriter(join(path, 'below', 'assay.db'))).toThrow(
      fault('store-unopenable', '--db FILE'),
    )
    expect(() => openReader(dirname(path))).toThrow(fault('store-unopenable', '--db FILE'))
  })

  it('refuses a file that is no database, and frees the lock again', () => {
    const path = storePath()
    writeFileSync(path, 'this is not SQLite at all, but long enough to be looked at'.repeat(50))
    expect(() => openWriter(path)).toThrow(fault('store-corrupt'))
    expect(() => openWriter(path)).toThrow(fault('store-corrupt'))
  })
})

describe('opening for reading', () => {
  it('sees what a living writer has written, and does not hinder it', () => {
    const { store, path } = openWithRun()
    const reader = openReader(path)
    expect(reader.runs.find('latest').id).toBe('run-1')
    store.runs.create({ run: runOf('run-2'), plan: planOf([]) })
    expect(reader.runs.find('latest').id).toBe('run-2')
  })

  it('refuses to write', () => {
    const { path } = openWithRun()
    expect(() => openReader(path).runs.cancel('run-1')).toThrow(fault('store-read-only'))
  })

  it('makes nothing where there is nothing', () => {
    const path = storePath()
    expect(() => openReader(path)).toThrow(fault('store-missing', path))
    expect(existsSync(path)).toBe(false)
  })

  it('asks for a writer first when the schema is an older one', () => {
    const path = storePath()
    writeFileSync(path, '')
    expect(() => openReader(path)).toThrow(fault('store-too-old'))
  })
})
