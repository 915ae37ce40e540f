/** From what a person types to a run: id, beginning of an id, name, `latest`, `@-1`. */
import {
  labelsSchema,
  type PlannedRun,
  plannedBlockSchema,
  planSchema,
  type Run,
} from '@assay/model'
import type { Context } from './context.ts'
import { runAmbiguous, runNotFound } from './errors.ts'
import { parseColumn } from './json-column.ts'
import type { RunRow } from './tables/run.ts'

/** The run without its key. */
export const runOf = (row: RunRow): Run => {
  const { id, name, campaign, campaignDigest, seed, status, reason, createdAt, finishedAt } = row
  const { priority, invalidReason, invalidAt } = row
  return {
    ...{ id, name, campaign, campaignDigest, seed, status, reason, createdAt, finishedAt },
    labels: parseColumn(labelsSchema, row.labels, `labels of run ${id}`),
    priority,
    invalid: invalidReason === null ? null : { reason: invalidReason, at: invalidAt ?? createdAt },
  }
}

/** The row of an id, or `run-not-found`. */
export const requireRunRow = ({ statements }: Context, id: string): RunRow => {
  const row = statements.run.byId.get(id)
  if (!row) throw runNotFound(id)
  return row
}

/** How many runs back a reference points: `latest` and `@` 0, `@-N` N; null for any other text. */
const stepsBack = (reference: string): number | null => {
  if (reference === 'latest' || reference === '@') return 0
  const match = /^@-(\d{1,9})$/.exec(reference)
  return match ? Number(match[1]) : null
}

/** Most ids that are named when a beginning is ambiguous. */
const namedCandidates = 10

/** After every text that begins with the prefix: no id holds this, the last code point. */
const afterPrefix = '\u{10ffff}'

const byPrefix = ({ statements }: Context, prefix: string): RunRow | undefined => {
  if (prefix === '') return undefined
  const rows = statements.run.byPrefix.all(prefix, prefix + afterPrefix, namedCandidates)
  if (rows.length > 1) {
    throw runAmbiguous(
      prefix,
      rows.map((row) => row.id),
    )
  }
  return rows[0]
}

/**
 * The run that `reference` means: an id first, then a name, `latest` (or `@`), `@-N` (N runs before
 * the latest), then the beginning of one id. Errors: `run-not-found`, `run-ambiguous`.
 */
export const findRun = (context: Context, reference: string): Run => {
  const { run } = context.statements
  const back = stepsBack(reference)
  const row =
    run.byId.get(reference) ??
    run.byName.get(reference) ??
    (back === null ? byPrefix(context, reference) : run.back.get(back))
  if (!row) throw runNotFound(reference)
  return runOf(row)
}

/** The run of an id with its whole frozen plan. Errors: `run-not-found`. */
export const getRun = (context: Context, id: string): PlannedRun =>
  context.read(() => {
    const row = requireRunRow(context, id)
    const { run, block } = context.statements
    const head = parseColumn(planSchema, run.plan.one(row.runKey).plan, `plan of run ${id}`)
    const blocks = block.plansOfRun
      .all(row.runKey)
      .map(({ plan }) => parseColumn(plannedBlockSchema, plan, `block of run ${id}`))
    return { ...runOf(row), plan: { ...head, blocks } }
  })
