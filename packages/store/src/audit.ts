/** The audit log: changes are kept for ever; of refusals, which anybody can cause, the latest. */
import { type AuditEntry, actorSchema } from '@assay/model'
import { z } from 'zod'
import type { Context } from './context.ts'
import { cursorOf, keyOf, type PageRequest } from './cursor.ts'
import { parseColumn } from './json-column.ts'
import type { AuditRow } from './tables/audit.ts'

/** Refusals older than as many entries are forgotten: some 30 MB of them are kept at most. */
const keptRefusals = 100_000

/** How often it is looked for refusals to forget, in entries. */
const forgetEvery = 500

/** An entry as the one who changes something says it: number and time are added. */
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at'>

/** One page of the log. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** The store's audit log. */
export interface Audit {
  record(entry: NewAuditEntry): void
  /** Newest first. Errors: `bad-cursor`. */
  list(page: PageRequest): AuditPage
}

const entryFrom = ({ who, object, ...row }: AuditRow): AuditEntry => ({
  ...row,
  who: parseColumn(actorSchema, who, `who of audit entry ${row.id}`),
  object: parseColumn(z.record(z.string(), z.string()), object, `object of audit entry ${row.id}`),
})

const listEntries = ({ statements }: Context, { limit, cursor }: PageRequest): AuditPage => {
  const [before = 0] = cursor === null ? [Number.MAX_SAFE_INTEGER] : keyOf(cursor, 1)
  const rows = statements.audit.page.all(before, limit + 1)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    entries: shown.map(entryFrom),
    nextCursor: last === undefined ? null : cursorOf([last.id]),
  }
}

/** The audit log of an open store. */
export const auditOf = (context: Context): Audit => {
  const { audit } = context.statements
  return {
    record: ({ who, object, ...facts }) =>
      context.write(() => {
        const { id } = audit.insert.one({
          ...{ ...facts, at: context.now() },
          ...{ who: JSON.stringify(who), object: JSON.stringify(object) },
        })
        if (id % forgetEvery === 0) audit.forgetRefusals.run(id - keptRefusals)
      }),
    list: (page) => listEntries(context, page),
  }
}
