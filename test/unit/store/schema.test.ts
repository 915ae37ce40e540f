import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openWithRun } from './example-run.ts'

it('the schema is the one under golden: to change it takes a new migration', async () => {
  const { path } = openWithRun([])
  const database = new Database(path, { readonly: true })
  const rows = database
    .prepare<[], { sql: string }>(
      `SELECT sql FROM sqlite_schema
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY tbl_name, type DESC, name`,
    )
    .all()
  const version = database.pragma('user_version', { simple: true })
  database.close()
  const text = rows.map(({ sql }) => `${sql.replaceAll('\n  ', '\n')};\n`).join('\n')
  await expect(`-- user_version ${version}\n\n${text}`).toMatchFileSnapshot(
    '../../golden/schema.sql',
  )
})
