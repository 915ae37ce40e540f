/** A store of the first version is brought up to date with everything that is in it. */

import { openStore } from '@assay/store'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { schema1 } from '../../../packages/store/src/schema-1.ts'
import { fault, openWithRun, stillClock, storePath, take } from './example-run.ts'

/** What a program of the first version wrote: a run of one block. */
const oldStore = (): string => {
  const { path: newPath } = openWithRun()
  const path = storePath()
  const database = new Database(path)
  database.exec(schema1)
  database.exec(`ATTACH '${newPath}' AS new`)
  for (const table of ['campaign', 'run', 'block', 'cell']) {
    const columns = database
      .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}', 'main')`)
      .all()
      .map(({ name }) => name)
      .join(', ')
    database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM new.${table}`)
  }
  // "ASSY", as every store is marked.
  database.pragma('application_id = 0x41535359')
  database.pragma('user_version = 1')
  database.close()
  return path
}

it('its runs have no labels, count, and wait in the default pool; they can be measured', () => {
  const path = oldStore()
  expect(() => openStore({ path, access: 'read', now: stillClock().now })).toThrow(
    fault('store-too-old'),
  )
  const store = openStore({ path, access: 'write', now: stillClock().now })
  onTestFinished(() => store.close())
  expect(store.runs.find('run-1')).toMatchObject({ labels: {}, priority: 0, invalid: null })
  expect(store.blocks.queued()).toMatchObject([{ blockId: 'b1', pool: 'default', priority: 0 }])
  take(store, 't1')
  expect(store.events.after({ after: 0, limit: 9 })).toMatchObject([
    { type: 'block', status: 'taken' },
  ])
})
