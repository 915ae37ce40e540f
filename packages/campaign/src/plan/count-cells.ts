/** How large a campaign's plan is: roughly before anything is expanded, exactly after. */
import type { Campaign, Catalogue } from '@assay/model'
import { blockVariants, engineChoices } from './block-variants.ts'
import { usesDataset } from './uses-dataset.ts'

/** More cells than a year of measuring; a plan of more is a mistake. */
export const mostCells = 100_000

/**
 * Cells before `exclude` and before repeated combinations are dropped: a product per benchmark, so
 * that the largest mistake is counted in no time.
 */
export const countCombinations = (campaign: Campaign, catalogue: Catalogue): bigint => {
  const { benchmarks, compare, datasets, sampling } = campaign
  const cellsInBlock = BigInt(compare.levels.length + (sampling.selfCheck ? 1 : 0))
  const engines = BigInt(engineChoices(campaign).length)
  const pools = BigInt(campaign.pools?.length ?? 1)
  return benchmarks.reduce((sum, benchmark) => {
    const perDataset = compare.factor !== 'dataset' && usesDataset(benchmark, compare, catalogue)
    const blocks = Object.values(benchmark.parameters).reduce(
      (product, levels) => product * BigInt(levels.length),
      perDataset ? BigInt(datasets.length) : 1n,
    )
    return sum + blocks * engines * pools * cellsInBlock
  }, 0n)
}

/** Blocks and cells of the campaign's plan, self-checks included. */
export const countCells = (
  campaign: Campaign,
  catalogue: Catalogue,
): { readonly blocks: number; readonly cells: number } => {
  let blocks = 0
  let cells = 0
  for (const { candidates } of blockVariants(campaign, catalogue)) {
    blocks += 1
    cells += candidates.length
    if (campaign.sampling.selfCheck && candidates[0].place === 0) cells += 1
  }
  const pools = campaign.pools?.length ?? 1
  return { blocks: blocks * pools, cells: cells * pools }
}
