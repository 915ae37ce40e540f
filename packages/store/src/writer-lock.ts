/**
 * One writer per store: a tiny SQLite file beside it whose write lock is held for as long as the
 * writer lives. The lock is the kernel's, so it is freed however the process ends; the pid inside is
 * committed before the lock is taken for good, so that whoever is refused can name the holder.
 */
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { storeBusy } from './errors.ts'

/** How long a lock is waited for: another opener's moment between its two steps, not a holder. */
const patienceMillis = 200

/** Twice as many as could be needed by two processes that open at the same instant. */
const attempts = 8

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY')

/** Runs `step`; false if the lock is somebody else's. */
const unlessBusy = (step: () => void): boolean => {
  try {
    step()
    return true
  } catch (thrown) {
    if (isBusy(thrown)) return false
    throw thrown
  }
}

const holderOf = (lock: Database.Database): number | null => {
  let holder: number | null = null
  unlessBusy(() => {
    const rows = lock.prepare<[], { pid: number }>('SELECT pid FROM writer')
    holder = rows.get()?.pid ?? null
  })
  return holder
}

const writePid = (lock: Database.Database, pid: number): void => {
  lock
    .transaction(() => {
      lock.exec(`
        CREATE TABLE IF NOT EXISTS writer (only INTEGER PRIMARY KEY CHECK (only = 1), pid INTEGER)
          STRICT;
        INSERT OR REPLACE INTO writer VALUES (1, ${pid});
      `)
    })
    .immediate()
}

/**
 * Whether somebody holds the store at `path` for writing, without whom no run of it goes on. Looks
 * without waiting; null where one may not look.
 */
export const isWritten = (path: string): boolean | null => {
  if (!existsSync(`${path}.lock`)) return false
  try {
    const lock = new Database(`${path}.lock`, { fileMustExist: true, timeout: 0 })
    try {
      // Given back at once: an opener that meets this moment tries again.
      return !unlessBusy(() => lock.exec('BEGIN IMMEDIATE; ROLLBACK'))
    } finally {
      lock.close()
    }
  } catch (thrown) {
    if (thrown instanceof Database.SqliteError) return null
    throw thrown
  }
}

/** A held lock. */
export interface WriterLock {
  release(): void
}

/** Takes the writer's lock of the store at `path`, or throws `store-busy`. */
export const acquireWriterLock = (path: string, pid: number): WriterLock => {
  const lock = new Database(`${path}.lock`, { timeout: patienceMillis })
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (!unlessBusy(() => writePid(lock, pid))) break
      // Another opener may have written its pid in between: then both try again.
      if (!unlessBusy(() => lock.exec('BEGIN IMMEDIATE'))) continue
      if (holderOf(lock) === pid) return { release: () => lock.close() }
      lock.exec('ROLLBACK')
    }
    throw storeBusy(path, holderOf(lock))
  } catch (thrown) {
    lock.close()
    throw thrown
  }
}
