/**
 * Brings a database to the newest schema. `user_version` counts the migrations that were applied;
 * all that are missing run in one IMMEDIATE transaction, so that a store is either old or new.
 */
import type { Database } from 'better-sqlite3'
import { storeCorrupt, storeTooNew, storeTooOld } from './errors.ts'
import { schema1 } from './schema-1.ts'
import { schema2 } from './schema-2.ts'
import { schema3 } from './schema-3.ts'
import { schema4 } from './schema-4.ts'
import { schema5 } from './schema-5.ts'
import { schema6 } from './schema-6.ts'

/** In order; the version of a schema is its place, from 1. */
const migrations: readonly string[] = [schema1, schema2, schema3, schema4, schema5, schema6]

/** Marks the file as ours: "ASSY" (SQLite file format, section 1.3.12, application ID). */
const applicationId = 0x41535359

const pragmaNumber = (database: Database, name: string): number =>
  Number(database.pragma(name, { simple: true }))

/** The file must be a store, or (for a writer) empty; else `store-corrupt`. */
const refuseForeign = (database: Database, path: string): void => {
  const tables = database.prepare<[], { count: number }>(
    'SELECT count(*) AS count FROM sqlite_schema',
  )
  const isEmpty = tables.get()?.count === 0
  if (!isEmpty && pragmaNumber(database, 'application_id') !== applicationId) {
    throw storeCorrupt(path, 'it is the database of another program')
  }
}

/** The version of a file that this program may touch. Errors: `store-too-new`, `store-corrupt`. */
export const requireUsable = (database: Database, path: string): number => {
  refuseForeign(database, path)
  const version = pragmaNumber(database, 'user_version')
  if (version > migrations.length) throw storeTooNew(path, version, migrations.length)
  return version
}

/** Applies what is missing. Errors: `store-too-new`, `store-corrupt`. */
export const migrate = (database: Database, path: string): void => {
  database
    .transaction(() => {
      const version = requireUsable(database, path)
      if (version === migrations.length) return
      for (const migration of migrations.slice(version)) database.exec(migration)
      database.pragma(`application_id = ${applicationId}`)
      database.pragma(`user_version = ${migrations.length}`)
    })
    .immediate()
}

/** For readers. Errors: `store-too-new`, `store-too-old`, `store-corrupt`. */
export const requireCurrent = (database: Database, path: string): void => {
  const version = requireUsable(database, path)
  if (version < migrations.length) throw storeTooOld(path, version, migrations.length)
}
