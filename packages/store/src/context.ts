/** What every operation of the store works with: the database, its prepared statements, a clock. */
import type { Database } from 'better-sqlite3'
import { type Changes, openChanges } from './changes.ts'
import { storeReadOnly } from './errors.ts'
import { type Preparer, preparerOf } from './statement.ts'
import { auditStatements } from './tables/audit.ts'
import { blockStatements } from './tables/block.ts'
import { campaignStatements } from './tables/campaign.ts'
import { cellStatements } from './tables/cell.ts'
import { eventStatements } from './tables/event.ts'
import { evidenceStatements } from './tables/evidence.ts'
import { gateStatements } from './tables/gate.ts'
import { jobStatements } from './tables/job.ts'
import { labelStatements } from './tables/label.ts'
import { reviewStatements } from './tables/review.ts'
import { roundStatements } from './tables/round.ts'
import { runStatements } from './tables/run.ts'
import { sampleStatements } from './tables/sample.ts'
import { takeStatements } from './tables/take.ts'
import { tokenStatements } from './tables/token.ts'
import { workerStatements } from './tables/worker.ts'

const prepareAll = (preparer: Preparer) => ({
  campaign: campaignStatements(preparer),
  run: runStatements(preparer),
  block: blockStatements(preparer),
  cell: cellStatements(preparer),
  take: takeStatements(preparer),
  round: roundStatements(preparer),
  sample: sampleStatements(preparer),
  evidence: evidenceStatements(preparer),
  job: jobStatements(preparer),
  label: labelStatements(preparer),
  worker: workerStatements(preparer),
  event: eventStatements(preparer),
  token: tokenStatements(preparer),
  audit: auditStatements(preparer),
  review: reviewStatements(preparer),
  gate: gateStatements(preparer),
})

/** Every statement, by table family; prepared once, when the store is opened. */
export type Statements = ReturnType<typeof prepareAll>

/** Handed to every operation. */
export interface Context {
  readonly database: Database
  readonly statements: Statements
  /** Told of what was committed. */
  readonly changes: Changes
  /** Whole milliseconds since 1970. */
  readonly now: () => number
  /** One consistent view over several reads. */
  read<T>(work: () => T): T
  /** One IMMEDIATE transaction: all or nothing, never a late SQLITE_BUSY. */
  write<T>(work: () => T): T
}

const orRolledBack = <T>(changes: Changes, transact: () => T): T => {
  try {
    return transact()
  } catch (error) {
    changes.rolledBack()
    throw error
  }
}

/** The context of an open database. */
export const contextOf = (options: {
  readonly database: Database
  readonly path: string
  readonly now: () => number
}): Context => {
  const { database, path, now } = options
  const changes = openChanges()
  return {
    ...{ database, changes },
    statements: prepareAll(preparerOf(database)),
    now: () => Math.floor(now()),
    read: (work) => database.transaction(work).deferred(),
    write: (work) => {
      if (database.readonly) throw storeReadOnly(path)
      if (database.inTransaction) return database.transaction(work).immediate()
      const result = orRolledBack(changes, database.transaction(work).immediate)
      changes.committed()
      return result
    },
  }
}
