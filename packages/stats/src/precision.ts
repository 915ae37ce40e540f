/** When a block's rounds may stop: every interval is narrow enough. Never whether it is significant. */
import type { EvidenceCell, EvidenceSample } from '@assay/model'
import { alignedRank } from './aligned-rank.ts'
import { logPairs, pairByRound } from './pairs.ts'
import { atLeast } from './rounding.ts'

/** Half the width of the 95 % interval of the effect in ln ratios; null while there is none. */
export const halfWidth = (
  baseline: readonly EvidenceSample[],
  candidate: readonly EvidenceSample[],
): number | null => {
  const logs = logPairs(pairByRound(baseline, candidate).pairs)
  if (logs === null || logs.baseline.length === 0) return null
  const interval = alignedRank(logs, [0.95]).intervals[0] ?? null
  return interval === null ? null : (interval.high - interval.low) / 2
}

/** Whether a cell still has something to compare; one that failed will not get more precise. */
const isLive = (cell: EvidenceCell): boolean =>
  cell.status === 'queued' || cell.status === 'running' || cell.status === 'measured'

/**
 * Whether every comparison of a block is known to +-`precision`, a fraction. `cells` are in the
 * plan's order, so the first is the baseline; failed, skipped and unsupported cells do not count,
 * and with nothing left to compare the block is precise.
 */
export const isPrecise = (cells: readonly EvidenceCell[], precision: number): boolean => {
  const [baseline, ...others] = cells
  if (baseline === undefined || !isLive(baseline)) return true
  return others.filter(isLive).every((cell) => {
    const width = halfWidth(baseline.samples, cell.samples)
    return width !== null && atLeast(Math.log1p(precision), width)
  })
}
