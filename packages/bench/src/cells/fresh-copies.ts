/**
 * The dataset of samples that write: before each, copied anew to the same path, outside the timed
 * part. The original is proven untouched from the moment it was prepared until the cell is closed.
 */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyDataset, loadPages } from '@assay/measure'
import type { PlannedBlock, PlannedCell, Sampling } from '@assay/model'
import { execa } from 'execa'
import { benchmarks } from '../benchmarks/index.ts'
import { datasetStamp } from '../datasets/digest.ts'
import type { Site } from '../engines/engine.ts'
import { datasetChanged } from '../errors.ts'

/** The copies of a cell's dataset, one at a time. */
export interface FreshCopies {
  /** Where every copy lies. */
  readonly directory: string
  /**
   * Replaces the copy by another, whose bytes are on the disk and, where the cache is to be warm, in
   * memory too. Rejects with `copy-failed`, or as the file system does.
   */
  renew(cache: Sampling['cache']): Promise<void>
  /** Removes the last copy. Rejects with `dataset-changed` if anything wrote into the original. */
  close(): Promise<void>
}

/** Whether each sample of a cell has a copy of its own: asked for, or since its benchmark writes. */
export const hasFreshCopies = (
  { dataset, execution }: PlannedCell,
  { benchmark }: PlannedBlock,
): boolean => {
  const writes = benchmarks.find(({ name }) => name === benchmark.name)?.mutatesRepository === true
  return dataset !== null && (writes || execution?.freshCopy === true)
}

/** Makes ready for copying; null for a cell that reads the original, or nothing. */
export const openFreshCopies = (cell: PlannedCell, site: Site): FreshCopies | null => {
  const { block, datasetDirectory: original, copiesDirectory, signal } = site
  if (original === null || !hasFreshCopies(cell, block)) return null
  const directory = join(copiesDirectory, 'dataset')
  const stamp = datasetStamp(original)
  return {
    directory,
    async renew(cache) {
      await removeCopy(directory)
      await mkdir(copiesDirectory, { recursive: true })
      await copyDataset(original, directory)
      // A copy that is still being written would be measured: a child that syncs would wait for it.
      await execa('sync', ['-f', directory], { cancelSignal: signal })
      // Shared blocks share no pages: of a reflinked copy, nothing is cached yet.
      if (cache === 'warm') await loadPages(directory)
    },
    async close() {
      await removeCopy(directory)
      if (stampOrNull(original) === stamp) return
      throw datasetChanged(
        dirname(original),
        `something wrote into it, not into its copy: let commands and hooks write into $\{dataset} alone`,
      )
    },
  }
}

/** Removes a copy, also one whose folders a child protected. */
const removeCopy = async (directory: string): Promise<void> => {
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  await remove().catch(async () => {
    await execa('chmod', ['-R', 'u+rwX', directory])
    await remove()
  })
}

/** The stamp, or null of a dataset that is not all there any more. */
const stampOrNull = (directory: string): string | null => {
  try {
    return datasetStamp(directory)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
