/** The middle of what a page draws or lists. */
import { medianOf as medianOfSome } from '@assay/stats'

/** The median; null of nothing. */
export const medianOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : medianOfSome(values)
