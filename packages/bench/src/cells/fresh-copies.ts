/**
 * The repositories of samples that write: before each, copied anew to the same path, outside the
 * timed part. The originals are proven untouched from the moment they were ready until the cell is
 * closed.
 */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyDataset, loadPages } from '@assay/measure'
import type { PlannedBlock, PlannedCell, Sampling } from '@assay/model'
import { execa } from 'execa'
import { benchmarkNamed } from '../benchmarks/index.ts'
import { datasetStamp } from '../datasets/digest.ts'
import { datasetChanged } from '../errors.ts'
import type { SampleInputs } from './sample-inputs.ts'

/** A repository and where it is copied to. */
export interface CopyPath {
  readonly original: string
  readonly copy: string
}

/** The copies of a cell's repositories, one set at a time. */
export interface FreshCopies {
  /** Remembers how the originals are. */
  begin(): void
  /**
   * Replaces the copies by others, whose bytes are on the disk and, where the cache is to be warm, in
   * memory too. Rejects with `copy-failed`, or as the file system does.
   */
  renew(cache: Sampling['cache']): Promise<void>
  /** Removes the last copies. Rejects with `dataset-changed` if anything wrote into an original. */
  close(): Promise<void>
}

/**
 * What each sample of a cell has a copy of its own of: its dataset, if that was asked for or since its
 * benchmark writes, and the other repository, if it is written into. None of a cell that reads.
 */
export const copiesOf = (
  { execution }: PlannedCell,
  { benchmark }: PlannedBlock,
  at: { readonly inputs: SampleInputs | null; readonly folder: string },
): readonly CopyPath[] => {
  if (at.inputs === null) return []
  const { dataset, remote } = at.inputs
  const declared = benchmarkNamed(benchmark.name)
  const writes = declared?.mutatesRepository === true
  const copies = writes || execution?.freshCopy === true ? [['dataset', dataset] as const] : []
  const sent = writes && declared.lacking === 'remote' && remote !== null
  return [...copies, ...(sent ? [['remote', remote] as const] : [])].map(([name, original]) => ({
    original,
    copy: join(at.folder, name),
  }))
}

/** Makes ready for copying; null for a cell that reads the originals, or nothing. */
export const openFreshCopies = (
  copies: readonly CopyPath[],
  signal: AbortSignal,
): FreshCopies | null => {
  if (copies.length === 0) return null
  const stamps = new Map<string, string | null>()
  const remove = async (): Promise<void> => {
    for (const { copy } of copies) await removeCopy(copy)
  }
  return {
    begin() {
      for (const { original } of copies) stamps.set(original, stampOrNull(original))
    },
    async renew(cache) {
      await remove()
      for (const { original, copy } of copies) {
        await mkdir(dirname(copy), { recursive: true })
        await copyDataset(original, copy)
        // A copy that is still being written would be measured: a child that syncs would wait for it.
        await execa('sync', ['-f', copy], { cancelSignal: signal })
        // Shared blocks share no pages: of a reflinked copy, nothing is cached yet.
        if (cache === 'warm') await loadPages(copy)
      }
    },
    async close() {
      await remove()
      for (const [original, stamp] of stamps) {
        if (stampOrNull(original) === stamp) continue
        throw datasetChanged(
          dirname(original),
          `something wrote into it, not into its copy: let commands and hooks write into $\{dataset} alone`,
        )
      }
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
