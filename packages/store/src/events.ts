/**
 * What happened, for those who follow: an event is written in the transaction of its change, so that
 * the two are there together or not at all, and whoever waits is told once that has been committed.
 */
import { type RunChange, runChangeSchema } from '@assay/model'
import { z } from 'zod'
import type { Context } from './context.ts'
import { requireRunRow } from './find-run.ts'
import { parseColumn } from './json-column.ts'
import type { EventRow } from './tables/event.ts'

/** How many events are kept: some days of a busy server, at some 200 bytes each. */
const keptEvents = 100_000

/** How many events are forgotten at once. */
const forgottenAtOnce = 500

type Told<Change> = Change extends RunChange ? Omit<Change, 'id' | 'at' | 'runId'> : never

/** What happened, as the one who changes it says: number, time and run are added. */
export type NewEvent = Told<RunChange>

/** Writes an event; only inside the transaction of its change. */
export const record = (context: Context, runKey: number, event: NewEvent): void => {
  const { statements, now, changes } = context
  const { id } = statements.event.insert.one({ runKey, at: now(), body: JSON.stringify(event) })
  if (id % forgottenAtOnce === 0) statements.event.forget.run(id - keptEvents)
  changes.note()
}

/** Which events are read: those after a number, of one run or of all. */
export interface EventRequest {
  readonly after: number
  readonly limit: number
  /** Absent: of all runs. */
  readonly runId?: string
}

/** The store's events. */
export interface Events {
  /** In order. Errors: `run-not-found`. */
  after(request: EventRequest): readonly RunChange[]
  /** Numbers of the oldest event that is kept and of the newest that ever was; 0 without events. */
  range(): { readonly oldest: number; readonly newest: number }
  /** Calls `listener` after each change that wrote an event, until what it gives is called. */
  onChange(listener: () => void): () => void
}

const looseBody = z.looseObject({})

const eventFrom = ({ id, at, runId, body }: EventRow): RunChange => {
  const told = parseColumn(looseBody, body, `event ${id}`)
  return runChangeSchema.parse({ ...told, id, at, runId })
}

/** The events of an open store. */
export const eventsOf = (context: Context): Events => {
  const { event } = context.statements
  return {
    after: ({ after, limit, runId }) => {
      if (runId === undefined) return event.after.all(after, limit).map(eventFrom)
      const { runKey } = requireRunRow(context, runId)
      return event.afterOfRun.all(runKey, after, limit).map(eventFrom)
    },
    range: () => {
      const newest = event.newest.one().id ?? 0
      return { newest, oldest: event.oldest.one().id ?? newest }
    },
    onChange: (listener) => context.changes.listen(listener),
  }
}
