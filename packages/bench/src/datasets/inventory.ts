/** What lies in a cache of datasets: shown, checked again, removed. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tryFileLock } from '@assay/measure'
import { AssayError } from '@assay/model'
import { datasetAmbiguous, datasetBusy, datasetUnknown } from '../errors.ts'
import { datasetDigest } from './digest.ts'
import { doomedName, isPartial, lockPathOf, sweepPartials, treeBytes } from './partial.ts'
import { type DatasetRecord, readRecord } from './record.ts'
import { recheck } from './shelf.ts'

/** A dataset in a cache. */
export interface ShelvedDataset {
  /** Its folder's name. */
  readonly id: string
  readonly folder: string
  /** Null if it cannot be read: then the dataset can only be removed. */
  readonly record: DatasetRecord | null
  /** What its folder takes, with the inputs of benchmarks that were made of it. */
  readonly diskBytes: number
}

/** One whose record can be read. */
export type SoundDataset = ShelvedDataset & { readonly record: DatasetRecord }

const shelved = (cacheDirectory: string, id: string): SoundDataset => {
  const folder = join(cacheDirectory, id)
  return { id, folder, record: readRecord(folder), diskBytes: treeBytes(folder) }
}

const idsIn = (cacheDirectory: string): readonly string[] => {
  if (!existsSync(cacheDirectory)) return []
  return readdirSync(cacheDirectory)
    .filter((id) => !isPartial(id) && existsSync(join(cacheDirectory, id, 'dataset.json')))
    .sort()
}

/** Every dataset of a cache, by id. */
export const listDatasets = (cacheDirectory: string): readonly ShelvedDataset[] =>
  idsIn(cacheDirectory).map((id) => {
    try {
      return shelved(cacheDirectory, id)
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      const folder = join(cacheDirectory, id)
      return { id, folder, record: null, diskBytes: treeBytes(folder) }
    }
  })

const idOf = (cacheDirectory: string, text: string): string => {
  const ids = idsIn(cacheDirectory)
  if (ids.includes(text)) return text
  const [id, ...others] = ids.filter((one) => one.startsWith(text))
  if (id === undefined) throw datasetUnknown(text, cacheDirectory)
  if (others.length > 0) throw datasetAmbiguous(text, [id, ...others])
  return id
}

/** The dataset whose id is, or begins with, a text. Throws `dataset-unknown` or `dataset-ambiguous`. */
export const findDataset = (cacheDirectory: string, text: string): SoundDataset =>
  shelved(cacheDirectory, idOf(cacheDirectory, text))

/** Reads every byte of a dataset; throws `dataset-changed` if they are others than were prepared. */
export const verifyDataset = (cacheDirectory: string, text: string): SoundDataset => {
  const id = idOf(cacheDirectory, text)
  recheck(join(cacheDirectory, id))
  return shelved(cacheDirectory, id)
}

/**
 * Removes a dataset with all that was made of it; gives its id and what was freed. Also one that was
 * changed. Throws `dataset-busy` while it is prepared.
 */
export const removeDataset = (
  cacheDirectory: string,
  text: string,
): { readonly id: string; readonly freedBytes: number } => {
  sweepPartials(cacheDirectory)
  const id = idOf(cacheDirectory, text)
  const folder = join(cacheDirectory, id)
  const lock = tryFileLock(lockPathOf(folder))
  if (lock === null) throw datasetBusy(id)
  try {
    const freedBytes = treeBytes(folder)
    const doomed = doomedName(folder)
    renameSync(folder, doomed)
    rmSync(doomed, { recursive: true, force: true })
    return { id, freedBytes }
  } finally {
    lock.release()
  }
}

/**
 * Whether a `path` is still what was copied from it; null of a dataset that comes from anywhere else. The
 * copy stays what it was in either case. Reads every byte of the source.
 */
export const sourceStateOf = (record: DatasetRecord): 'same' | 'changed' | 'gone' | null => {
  if (!('source' in record) || record.source.kind !== 'path') return null
  const { location } = record.source
  if (!existsSync(join(location, '.hg', 'store'))) return 'gone'
  const copied = record.derivedFrom ?? record.digest
  return datasetDigest(location) === copied ? 'same' : 'changed'
}
