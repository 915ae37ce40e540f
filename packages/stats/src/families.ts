/**
 * Which comparisons are corrected together: every candidate that was tested is one family, before
 * any filter of a report; the self-checks, which are to find nothing, are another.
 */
import { adjustPValues } from './benjamini-hochberg.ts'
import type { DraftBlock, DraftRow } from './drafts.ts'

/** Adjusted p-values of a family's rows, and its size. */
export interface Family {
  readonly size: number
  readonly adjusted: ReadonlyMap<DraftRow, number>
}

/** The family of the tested rows with a role. */
export const familyOf = (
  blocks: readonly DraftBlock[],
  role: 'candidate' | 'self-check',
): Family => {
  const tested = blocks
    .flatMap((block) => block.rows)
    .flatMap((row) => {
      const pValue = row.numbers?.pValue ?? null
      return row.planned.role === role && pValue !== null ? [{ row, pValue }] : []
    })
  const adjusted = adjustPValues(tested.map(({ pValue }) => pValue))
  return {
    size: tested.length,
    adjusted: new Map(tested.map(({ row }, index) => [row, adjusted[index] ?? 1])),
  }
}

/** Fewest self-checks that make a noise floor: one or two say too little of the worst. */
const fewestSelfChecks = 3

/** Largest |effect| among the self-checks, as ln ratio; null with fewer than three of them. */
export const noiseFloorOf = (selfChecks: Family): number | null =>
  selfChecks.size < fewestSelfChecks
    ? null
    : Math.max(...[...selfChecks.adjusted.keys()].map((row) => Math.abs(row.numbers?.effect ?? 0)))
