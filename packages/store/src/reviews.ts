/**
 * Reviews of a run's report, appended and never changed. Each remembers the samples that it was
 * based on by their digest: more rounds, another take or a run that was marked invalid leave the
 * review as it is, and no longer current.
 */
import { type Actor, type AddReviewRequest, actorSchema, digestOf, type Review } from '@assay/model'
import { z } from 'zod'
import type { Context } from './context.ts'
import { cellNotFound } from './errors.ts'
import { requireRunRow } from './find-run.ts'
import { parseColumn } from './json-column.ts'
import type { ReviewRow } from './tables/review.ts'

/** A decision and who made it. */
export type NewReview = AddReviewRequest & { readonly who: Actor }

/** The store's reviews. */
export interface Reviews {
  /** Errors: `run-not-found`, `cell-not-found`. */
  add(runId: string, review: NewReview): Review
  /** Oldest first. Errors: `run-not-found`. */
  ofRun(runId: string): readonly Review[]
}

/** The digest of the judged samples of some cells' blocks, or of all. */
const digestsOf = ({ statements }: Context, runKey: number, isInvalid: boolean) => {
  const rounds = statements.review.judgedRounds.all(runKey)
  const blockOf = new Map(
    statements.block.ofRun
      .all(runKey)
      .flatMap(({ blockKey, blockId }) =>
        statements.cell.ofBlock.all(blockKey).map(({ cellId }) => [cellId, blockId] as const),
      ),
  )
  return {
    blockOf,
    digest(cells: readonly string[] | null): string {
      const blocks = cells === null ? null : new Set(cells.map((cell) => blockOf.get(cell)))
      const judged = rounds.filter(({ blockId }) => blocks === null || blocks.has(blockId))
      return digestOf({ isInvalid, rounds: judged })
    },
  }
}

const reviewFrom = (
  row: ReviewRow,
  digest: (cells: readonly string[] | null) => string,
): Review => {
  const { cells, who, ...facts } = row
  const rows =
    cells === null ? null : parseColumn(z.array(z.string()), cells, `rows of review ${row.id}`)
  return {
    ...facts,
    who: parseColumn(actorSchema, who, `who of review ${row.id}`),
    rows,
    current: digest(rows) === row.samplesDigest,
  }
}

const addReview = (context: Context, runId: string, review: NewReview): Review =>
  context.write(() => {
    const { runKey, invalidReason } = requireRunRow(context, runId)
    const { blockOf, digest } = digestsOf(context, runKey, invalidReason !== null)
    const { decision, reason, who, rows = null } = review
    const unknown = rows?.find((cell) => !blockOf.has(cell))
    if (unknown !== undefined) throw cellNotFound(runId, unknown)
    const row = {
      ...{ at: context.now(), who: JSON.stringify(who), decision, reason },
      cells: rows === null ? null : JSON.stringify(rows),
      samplesDigest: digest(rows),
    }
    const { id } = context.statements.review.insert.one({ ...row, runKey })
    return reviewFrom({ id, ...row }, digest)
  })

/** The reviews of an open store. */
export const reviewsOf = (context: Context): Reviews => ({
  add: (runId, review) => addReview(context, runId, review),
  ofRun: (runId) =>
    context.read(() => {
      const { runKey, invalidReason } = requireRunRow(context, runId)
      const { digest } = digestsOf(context, runKey, invalidReason !== null)
      return context.statements.review.ofRun.all(runKey).map((row) => reviewFrom(row, digest))
    }),
})
