/** Judged reports from plain numbers, by the real judge: each value is measured in every round. */
import type { Evidence, Levels, Report } from '@assay/model'
import { judgeRun } from '@assay/stats'
import { type CellOf, evidenceOf, type RunOf } from '../stats/evidence-of.ts'

export interface BlockOf {
  readonly headings: Levels
  readonly rows: readonly CellOf[]
}

/** The same value in each of 20 rounds: its median is exactly that value. */
export const constant = (value: number): number[] => new Array<number>(20).fill(value)

export const evidenceOfBlocks = (
  blocks: readonly BlockOf[],
  of: Omit<RunOf, 'blocks'> = {},
): Evidence => {
  const evidence = evidenceOf({ ...of, blocks: blocks.map(({ rows }) => rows) })
  const { plan } = evidence.run
  const planned = plan.blocks.map((block, at) => ({
    ...block,
    headings: blocks[at]?.headings ?? {},
  }))
  return { ...evidence, run: { ...evidence.run, plan: { ...plan, blocks: planned } } }
}

export const reportOf = (blocks: readonly BlockOf[], of: Omit<RunOf, 'blocks'> = {}): Report =>
  judgeRun(evidenceOfBlocks(blocks, of))
