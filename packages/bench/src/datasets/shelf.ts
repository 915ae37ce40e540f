/**
 * The folders of a cache of datasets. Each has a `repository` and beside it `dataset.json`; both appear
 * together, by one rename, under a lock by which whoever asks at the same time waits instead of
 * making the same thing.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { takeFileLock } from '@assay/measure'
import { datasetChanged } from '../errors.ts'
import { datasetDigest, datasetStamp } from './digest.ts'
import { lockPathOf, startPartial, sweepPartials } from './partial.ts'
import { type DatasetRecord, readRecord, writeRecord } from './record.ts'

/** A dataset that is ready to be measured. */
export interface PreparedDataset {
  /** The repository's folder. It must not be written into: copy it. */
  readonly directory: string
  /** `datasetDigest` of the repository. */
  readonly digest: string
  readonly revisions: number
  /** Files over all of history. */
  readonly files: number
  /** Bytes of everything in the repository's folder. */
  readonly bytes: number
}

/** Makes `repository` in an empty folder, and tells what it is. */
export type MakeDataset = (partial: string) => Promise<(seal: Seal) => DatasetRecord>

/** What tells a repository from any other. */
export interface Seal {
  readonly digest: string
  readonly stamp: string
}

const makeInto = async (folder: string, make: MakeDataset): Promise<void> => {
  const partial = startPartial(folder)
  try {
    const recordOf = await make(partial)
    const repository = join(partial, 'repository')
    const seal = { digest: datasetDigest(repository), stamp: datasetStamp(repository) }
    writeRecord(partial, recordOf(seal))
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/** The dataset of a folder, made unless it is there. Waits for whoever makes it already. */
export const takeFromShelf = async (
  folder: string,
  make: MakeDataset,
  signal?: AbortSignal,
): Promise<PreparedDataset> => {
  if (existsSync(folder)) return reuse(folder)
  sweepPartials(dirname(folder))
  const lock = await takeFileLock(lockPathOf(folder), signal)
  try {
    if (!existsSync(folder)) await makeInto(folder, make)
  } finally {
    lock.release()
  }
  return reuse(folder)
}

/** What lies in the folder, after the check that it is what was prepared. Throws `dataset-changed`. */
const reuse = (folder: string): PreparedDataset => {
  const record = readRecord(folder)
  const { digest, revisions, files, bytes } = record
  const directory = join(folder, 'repository')
  if (stampOf(folder) !== record.stamp) recheck(folder)
  return { directory, digest, revisions, files, bytes }
}

const whereMissing = <Value>(folder: string, read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw datasetChanged(folder, 'files are missing')
    }
    throw error
  }
}

const stampOf = (folder: string): string =>
  whereMissing(folder, () => datasetStamp(join(folder, 'repository')))

/**
 * Reads every byte: throws `dataset-changed` if they are others than were prepared. Times of change
 * differ after a copy or a restore: they are then noted anew.
 */
export const recheck = (folder: string): DatasetRecord => {
  const record = readRecord(folder)
  const stamp = stampOf(folder)
  const digest = whereMissing(folder, () => datasetDigest(join(folder, 'repository')))
  if (digest !== record.digest) throw datasetChanged(folder, 'its store has other bytes')
  const checked = { ...record, stamp }
  if (stamp !== record.stamp) writeRecord(folder, checked)
  return checked
}
