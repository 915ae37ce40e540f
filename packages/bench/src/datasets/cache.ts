/**
 * Prepared datasets on disk, by recipe: the first request generates, later ones reuse what is there
 * after a cheap check that it is untouched. Each lies in a folder of its own: `repository`, and
 * beside it `dataset.json` with the recipe and the digest. Both appear together, by one rename.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '@assay/model'
import { z } from 'zod'
import { datasetChanged } from '../errors.ts'
import { datasetDigest, datasetStamp } from './digest.ts'
import {
  type DatasetPlan,
  type DatasetRecipe,
  GENERATOR_VERSION,
  type GeneratedDataset,
  type GenerationWatch,
  planDataset,
  startPartial,
  writeDataset,
} from './generate.ts'

/** What to prepare and where. */
export interface PrepareDatasetOptions extends GenerationWatch {
  readonly spec: DatasetRecipe
  /** Holds any number of datasets; made when missing. */
  readonly cacheDirectory: string
}

/** A dataset that is ready to be measured. */
export interface PreparedDataset extends GeneratedDataset {
  /** The repository's folder. It must not be written into: copy it. */
  readonly directory: string
  /** `datasetDigest` of the repository. */
  readonly digest: string
}

const recordSchema = z.strictObject({
  spec: z.strictObject({
    preset: z.string(),
    scale: z.number(),
    format: z.array(z.string()).readonly(),
    seed: z.string(),
  }),
  generatorVersion: z.int(),
  digest: z.string(),
  stamp: z.string(),
  revisions: z.int(),
  files: z.int(),
  bytes: z.int(),
})
type DatasetRecord = z.infer<typeof recordSchema>

/**
 * The dataset of a recipe, generated unless it is in the cache. The event loop turns meanwhile.
 * Rejects as generateDataset does, and with AssayError `dataset-changed` when the one in the cache is no
 * longer what was prepared.
 */
export const prepareDataset = async (options: PrepareDatasetOptions): Promise<PreparedDataset> => {
  const { spec, cacheDirectory } = options
  const plan = planDataset(spec)
  const folder = join(cacheDirectory, datasetFolderName(spec))
  if (!existsSync(folder)) await generateInto(folder, plan, options)
  return reuse(folder)
}

/** A recipe's folder in a cache: readable, and unique by a digest of recipe and generator. */
export const datasetFolderName = ({ preset, scale, format, seed }: DatasetRecipe): string => {
  const key = { preset, scale, format: [...format].sort(), seed, generator: GENERATOR_VERSION }
  return `${preset}-${scale}-${digestOf(key).slice(0, 12)}`
}

const generateInto = async (
  folder: string,
  plan: DatasetPlan,
  options: PrepareDatasetOptions,
): Promise<void> => {
  const partial = startPartial(folder)
  try {
    const repository = join(partial, 'repository')
    const generated = await writeDataset(plan, repository, options)
    const { preset, scale, format, seed } = options.spec
    writeRecord(partial, {
      spec: { preset, scale, format, seed },
      generatorVersion: GENERATOR_VERSION,
      digest: datasetDigest(repository),
      stamp: datasetStamp(repository),
      ...generated,
    })
    settle(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/** Gives the whole folder its name; another process that was faster made the same bytes. */
const settle = (partial: string, folder: string): void => {
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(partial, { recursive: true, force: true })
  }
}

/** What lies in the folder, after the check that it is what was prepared. */
const reuse = (folder: string): PreparedDataset => {
  const directory = join(folder, 'repository')
  const record = readRecord(folder)
  const { digest, revisions, files, bytes } = record
  try {
    if (datasetStamp(directory) !== record.stamp) recheck(folder, record)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw datasetChanged(folder, 'files are missing')
    }
    throw error
  }
  return { directory, digest, revisions, files, bytes }
}

/** Times of change differ after a copy or a restore: then the bytes themselves decide. */
const recheck = (folder: string, record: DatasetRecord): void => {
  const directory = join(folder, 'repository')
  if (datasetDigest(directory) !== record.digest) {
    throw datasetChanged(folder, 'its store has other bytes')
  }
  writeRecord(folder, { ...record, stamp: datasetStamp(directory) })
}

const writeRecord = (folder: string, record: DatasetRecord): void => {
  const path = join(folder, 'dataset.json')
  writeFileSync(`${path}.new`, `${JSON.stringify(record, undefined, 2)}\n`)
  renameSync(`${path}.new`, path)
}

const readRecord = (folder: string): DatasetRecord => {
  const path = join(folder, 'dataset.json')
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw datasetChanged(folder, `dataset.json cannot be used: ${why}`)
  }
}
