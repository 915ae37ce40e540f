/** Prepared statements, typed once where the SQL stands: a query answers rows, a command changes. */
import type { Database } from 'better-sqlite3'

/** A statement that answers rows; what it is bound to is positional, or one object of names. */
export interface Query<Bound extends readonly unknown[], Row> {
  get(...bound: Bound): Row | undefined
  all(...bound: Bound): Row[]
  /** The first row of a query that always has one: a count, or what an insert returns. */
  one(...bound: Bound): Row
}

/** A statement that answers nothing. */
export interface Command<Bound extends readonly unknown[]> {
  run(...bound: Bound): void
}

/** Prepares statements of one database. */
export interface Preparer {
  /** `Row` must say what the columns are called and what the schema lets be in them. */
  query<Bound extends readonly unknown[], Row>(sql: string): Query<Bound, Row>
  command<Bound extends readonly unknown[]>(sql: string): Command<Bound>
}

/** The preparer of a database. */
export const preparerOf = (database: Database): Preparer => ({
  query: <Bound extends readonly unknown[], Row>(sql: string) => {
    const statement = database.prepare<unknown[], Row>(sql)
    return {
      get: (...bound: Bound) => statement.get(...bound),
      all: (...bound: Bound) => statement.all(...bound),
      one: (...bound: Bound) => {
        const row = statement.get(...bound)
        if (row === undefined)
          throw new Error(`no row from a statement that always has one: ${sql}`)
        return row
      },
    }
  },
  command: <Bound extends readonly unknown[]>(sql: string) => {
    const statement = database.prepare<unknown[]>(sql)
    return {
      run: (...bound: Bound) => {
        statement.run(...bound)
      },
    }
  },
})
