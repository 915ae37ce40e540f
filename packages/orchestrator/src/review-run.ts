/** Use-case: a person accepts or rejects a report, or rows of it, with a reason. */
import type { Review } from '@assay/model'
import type { NewReview, Store } from '@assay/store'
import { rowsNotCompared } from './errors.ts'
import { judgeRun } from './judge-run.ts'

/**
 * Keeps the decision beside the samples that it was based on. Errors: `run-not-found`,
 * `cell-not-found`, `review-rows-not-compared` for cells that are no compared row.
 */
export const reviewRun = (runId: string, review: NewReview, store: Store): Review => {
  const compared = new Set(
    judgeRun(runId, store).blocks.flatMap(({ rows }) =>
      rows.flatMap(({ cellId, comparison }) => (comparison === null ? [] : [cellId])),
    ),
  )
  const known = new Set(store.cells.ofRun(runId).map(({ cellId }) => cellId))
  // Unknown cells are the store's to refuse, by name.
  const baselines = (review.rows ?? []).filter((cell) => known.has(cell) && !compared.has(cell))
  if (baselines.length > 0) throw rowsNotCompared(baselines, [...compared])
  return store.reviews.add(runId, review)
}
