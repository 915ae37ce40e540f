/** Opens the database file itself, with the settings that durability and one-writer rest on. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { storeCorrupt, storeMissing, storeUnopenable } from './errors.ts'
import { migrate, requireCurrent, requireUsable } from './migrate.ts'
import { acquireWriterLock, type WriterLock } from './writer-lock.ts'

/** How long a statement waits for a checkpoint or a backup of another connection. */
const busyTimeoutMillis = 5_000

/** An open database and what ends it. */
export interface Connection {
  readonly database: Database.Database
  close(): void
}

/** Sees each statement before it runs, with its values: for tracing. */
export type Trace = (sql: string) => void

const codeOf = (thrown: unknown): string =>
  thrown instanceof Database.SqliteError ? thrown.code : ''

/** SQLite's complaint about a file as ours; all else as it is. */
const explained = (thrown: unknown, path: string): unknown => {
  const code = codeOf(thrown)
  if (code === 'SQLITE_NOTADB') return storeCorrupt(path, 'it is not an SQLite database', thrown)
  if (code.startsWith('SQLITE_CORRUPT')) return storeCorrupt(path, 'it is damaged', thrown)
  if (/^SQLITE_(CANTOPEN|IOERR|READONLY)/.test(code)) return storeUnopenable(path, thrown)
  return thrown
}

const verbose = (trace: Trace | undefined): { verbose?: (sql: unknown) => void } =>
  trace === undefined ? {} : { verbose: (sql) => trace(String(sql)) }

const lockWriter = (path: string): WriterLock => {
  try {
    mkdirSync(dirname(path), { recursive: true })
    return acquireWriterLock(path, process.pid)
  } catch (thrown) {
    const isSystem = thrown instanceof Error && 'syscall' in thrown
    throw isSystem ? storeUnopenable(path, thrown) : explained(thrown, path)
  }
}

/** Read and write, under the writer's lock. Makes the folder and the file. */
export const connectWriter = (path: string, trace: Trace | undefined): Connection => {
  const lock = lockWriter(path)
  let database: Database.Database | null = null
  try {
    database = new Database(path, { timeout: busyTimeoutMillis, ...verbose(trace) })
    const opened = database
    // Before the first change: a file of another program, or of a newer Assay, stays as it is.
    requireUsable(opened, path)
    opened.pragma('journal_mode = WAL')
    // better-sqlite3 is compiled with NORMAL for WAL; an acknowledged round must survive power loss.
    opened.pragma('synchronous = FULL')
    opened.pragma('foreign_keys = ON')
    migrate(opened, path)
    return {
      database: opened,
      close: () => {
        opened.close()
        lock.release()
      },
    }
  } catch (thrown) {
    database?.close()
    lock.release()
    throw explained(thrown, path)
  }
}

/** Read only; a writer is neither needed nor hindered. Errors: `store-missing` and the schema's. */
export const connectReader = (path: string, trace: Trace | undefined): Connection => {
  if (!existsSync(path)) throw storeMissing(path)
  let database: Database.Database | null = null
  try {
    const options = { readonly: true, fileMustExist: true, timeout: busyTimeoutMillis }
    database = new Database(path, { ...options, ...verbose(trace) })
    const opened = database
    requireCurrent(opened, path)
    return { database: opened, close: () => opened.close() }
  } catch (thrown) {
    database?.close()
    throw explained(thrown, path)
  }
}
