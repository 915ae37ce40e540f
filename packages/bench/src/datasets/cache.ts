/**
 * Prepared datasets on disk, by recipe or by source: the first request makes one, later ones reuse what
 * is there after a cheap check that it is untouched.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AssayError, digestOf, formatName, type SourcedDatasetSpec } from '@assay/model'
import { datasetDigestOther, datasetUnprepared } from '../errors.ts'
import { DERIVATION_VERSION, deriveFormat } from './derive.ts'
import { parseDatasetFormat } from './formats.ts'
import {
  type DatasetRecipe,
  GENERATOR_VERSION,
  type GenerationWatch,
  planDataset,
  writeDataset,
} from './generate.ts'
import { checkRepository, keepHistory, sizeOfHistory } from './history-files.ts'
import { locationLabel } from './locations.ts'
import { treeBytes } from './partial.ts'
import { type MakeDataset, type PreparedDataset, type Seal, takeFromShelf } from './shelf.ts'
import type { SourceSite } from './source-kind.ts'
import { kindOf } from './sources.ts'

/** What to prepare and where. */
export interface PrepareDatasetOptions extends GenerationWatch {
  readonly spec: DatasetRecipe | SourcedDatasetSpec
  /** Holds any number of datasets; made when missing. */
  readonly cacheDirectory: string
}

/**
 * The dataset of a recipe or source, made unless it is in the cache. The event loop turns meanwhile.
 * Rejects as generateDataset does; for a source with `dataset-source-invalid`, `dataset-source-unusable`,
 * `archive-unsafe`, `program-missing`, `program-failed`, `dataset-format-refused`,
 * `dataset-digest-other` or `dataset-unprepared`; and with `dataset-changed` when the one in the cache
 * is no longer what was prepared.
 */
export const prepareDataset = (options: PrepareDatasetOptions): Promise<PreparedDataset> => {
  const { spec } = options
  // Programs run in folders of their own, where a relative path would lead elsewhere.
  const placed = { ...options, cacheDirectory: resolve(options.cacheDirectory) }
  return 'source' in spec ? prepareSourced(spec, placed) : prepareGenerated(spec, placed)
}

/** A recipe's folder in a cache: readable, and unique by a digest of recipe and generator. */
export const datasetFolderName = ({ preset, scale, format, seed }: DatasetRecipe): string => {
  const key = { preset, scale, format: [...format].sort(), seed, generator: GENERATOR_VERSION }
  return `${preset}-${scale}-${digestOf(key).slice(0, 12)}`
}

const prepareGenerated = async (
  recipe: DatasetRecipe,
  options: PrepareDatasetOptions,
): Promise<PreparedDataset> => {
  const plan = planDataset(recipe)
  const { preset, scale, format, seed } = recipe
  const make: MakeDataset = async (partial) => {
    const generated = await writeDataset(plan, join(partial, 'repository'), options)
    const made = { spec: { preset, scale, format, seed }, generatorVersion: GENERATOR_VERSION }
    return (seal) => ({ ...made, ...seal, ...generated })
  }
  const folder = join(options.cacheDirectory, datasetFolderName(recipe))
  return takeFromShelf(folder, make, options.signal)
}

/** Raised when the same source gives another repository than before; part of a dataset's key. */
const SOURCES_VERSION = 1

const prepareSourced = async (
  spec: SourcedDatasetSpec,
  options: PrepareDatasetOptions,
): Promise<PreparedDataset> => {
  const kind = kindOf(spec.source)
  if (spec.format.length > 0) parseDatasetFormat(spec.format)
  const label = locationLabel(spec.source.location)
  const shelf = { spec, options }
  const key = digestOf({
    kind: kind.name,
    key: kind.keyOf(spec.source),
    version: SOURCES_VERSION,
  }).slice(0, 12)
  const base = await takeSourced(
    { ...shelf, format: [], derivedFrom: null, name: `${label}-${key}` },
    (site) => kind.fetch(spec.source, site),
  )
  if (spec.format.length === 0) return base
  const format = [...spec.format].sort()
  const derivation = { base: base.digest, format, version: DERIVATION_VERSION }
  const name = `${label}-${formatName(spec.format)}-${digestOf(derivation).slice(0, 12)}`
  return takeSourced({ ...shelf, format: spec.format, derivedFrom: base.digest, name }, (site) =>
    deriveFormat(base.directory, spec.format, site),
  )
}

/** One of the folders that a source needs: as it comes, or in other formats. */
interface SourcedFolder {
  readonly spec: SourcedDatasetSpec
  readonly options: PrepareDatasetOptions
  readonly format: readonly string[]
  readonly derivedFrom: string | null
  readonly name: string
}

/** Whether it is the dataset itself, not what it is derived from. */
const isLast = ({ format, spec }: SourcedFolder): boolean => format.length === spec.format.length

type Bring = (site: SourceSite) => Promise<void>

const takeSourced = async (folder: SourcedFolder, bring: Bring): Promise<PreparedDataset> => {
  const { spec, options, format, name } = folder
  const isWanted = isLast(folder)
  const check = ({ digest }: Pick<Seal, 'digest'>): void => {
    if (!isWanted || spec.digest === undefined || spec.digest === digest) return
    throw datasetDigestOther(spec.name, { wanted: spec.digest, found: digest })
  }
  const make: MakeDataset = async (partial) => {
    const size = await bringRepository({ partial, folder }, bring)
    const { source } = spec
    const { derivedFrom } = folder
    return (seal) => {
      check(seal)
      return { source, derivedFrom, format, ...seal, ...size }
    }
  }
  const path = join(options.cacheDirectory, name)
  const taken = await takeFromShelf(path, make, options.signal).catch((error: unknown) => {
    options.signal?.throwIfAborted()
    if (error instanceof AssayError) throw error
    throw datasetUnprepared(spec.name, error)
  })
  check(taken)
  return taken
}

const bringRepository = async (
  { partial, folder }: { readonly partial: string; readonly folder: SourcedFolder },
  bring: Bring,
): Promise<Pick<PreparedDataset, 'revisions' | 'files' | 'bytes'>> => {
  const { spec, options } = folder
  const directory = join(partial, 'repository')
  const scratch = join(partial, 'scratch')
  const { signal } = options
  mkdirSync(scratch)
  options.onProgress?.(0, 0)
  await bring({ directory, scratch, signal })
  checkRepository(directory, spec.source.location)
  keepHistory(directory)
  rmSync(scratch, { recursive: true, force: true })
  const size = await sizeOfHistory(directory)
  // Of two steps, the last makes it ready.
  if (isLast(folder)) options.onProgress?.(size.revisions, size.revisions)
  return { ...size, bytes: treeBytes(directory) }
}
