/**
 * A cold cache is that of the dataset: its pages are dropped before each sample. A benchmark without
 * one would be called cold and measured warm, so it is refused.
 */
import { type Campaign, datasetPlace } from '@assay/model'
import { usesDataset } from '../plan/uses-dataset.ts'
import { entryOf } from '../source/located-node.ts'
import type { Reading } from './reading.ts'

/** Reports benchmarks of a cold campaign that have nothing that could be cold. */
export const checkCold = (campaign: Campaign, { root, catalogue, faults }: Reading): void => {
  if (campaign.sampling.cache !== 'cold') return
  const warm = campaign.benchmarks.find((one) => !usesDataset(one, campaign.compare, catalogue))
  if (warm === undefined) return
  const cache = entryOf(entryOf(root, 'sampling')?.value, 'cache')
  const message = `${warm.name} has no dataset, so nothing of it would be cold; put $\{${datasetPlace}} into its command, or write cache: warm, also where a prepare hook drops caches`
  faults.add(cache?.keyOffset ?? root.offset, 'cold-without-dataset', message)
}
