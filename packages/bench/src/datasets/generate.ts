/**
 * Generates a dataset: a repository of a preset's shape, a pure function of preset, scale, format and
 * seed, written through the engine's own writer. It is made in a folder beside the wanted one and
 * renamed when it is whole, so that nothing half-made can be mistaken for it.
 */
import { renameSync, rmSync, statSync } from 'node:fs'
import { setImmediate as eventLoopTurn } from 'node:timers/promises'
import { seededRandom } from '@assay/model'
import type { NewChangeset, RepositoryFormat } from '@assay/revlog'
import { datasetDirectoryExists, datasetPresetUnknown, datasetScaleInvalid } from '../errors.ts'
import { type ChangeMaker, mergeChanges, ordinaryChanges } from './changes.ts'
import { FileTree } from './file-tree.ts'
import { parseDatasetFormat } from './formats.ts'
import { LinesOfWork, type Step } from './lines-of-work.ts'
import { startPartial, treeBytes } from './partial.ts'
import { presets } from './presets.ts'
import type { DatasetShape } from './shape.ts'
import { createTextSource, type TextSource } from './text-source.ts'

/** Counts up when the same options give other bytes than before; part of a cached dataset's key. */
export const GENERATOR_VERSION = 1

/** What to generate. */
export interface DatasetRecipe {
  /** Name of a preset. */
  readonly preset: string
  /** Fraction of the original's changesets; above 0. */
  readonly scale: number
  /** Format tags (`formats`). */
  readonly format: readonly string[]
  readonly seed: string
}

/** Where to generate it. */
export interface GenerateDatasetOptions extends DatasetRecipe, GenerationWatch {
  /** The repository's folder; it must not exist, its parent is made. */
  readonly directory: string
}

/** What a caller with other duties wants of a generation, which takes minutes. */
export interface GenerationWatch {
  /**
   * Told about every hundredth of the work, or more often, and about the end; of 0 changesets where it
   * is not known yet how many there are.
   */
  readonly onProgress?: (changesetsDone: number, changesets: number) => void
  /** Stops it; it then rejects with the signal's reason and leaves nothing. */
  readonly signal?: AbortSignal
}

/** What was generated. */
export interface GeneratedDataset {
  readonly revisions: number
  /** Files over all of history. */
  readonly files: number
  /** Bytes of everything in the repository's folder. */
  readonly bytes: number
}

/**
 * Generates a dataset and gives its size. The event loop turns meanwhile. Rejects with AssayError `dataset-preset-unknown`,
 * `dataset-scale-invalid`, `dataset-format-unsupported`, `dataset-format-contradictory` or
 * `dataset-directory-exists`, and RevlogError `system` when the disk refuses.
 */
export const generateDataset = async (
  options: GenerateDatasetOptions,
): Promise<GeneratedDataset> => {
  const { directory } = options
  const plan = planDataset(options)
  if (statSync(directory, { throwIfNoEntry: false }) !== undefined) {
    throw datasetDirectoryExists(directory)
  }
  const partial = startPartial(directory)
  try {
    const generated = await writeDataset(plan, partial, options)
    renameSync(partial, directory)
    return generated
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/** A recipe, checked and worked out. */
export interface DatasetPlan {
  readonly shape: DatasetShape
  readonly format: RepositoryFormat
  readonly seed: string
}

/** Checks a recipe without making anything. Throws as generateDataset does. */
export const planDataset = (recipe: DatasetRecipe): DatasetPlan => {
  const preset = presets.find(({ name }) => name === recipe.preset)
  if (preset === undefined) {
    throw datasetPresetUnknown(
      recipe.preset,
      presets.map(({ name }) => name),
    )
  }
  if (!Number.isFinite(recipe.scale) || recipe.scale <= 0) throw datasetScaleInvalid(recipe.scale)
  return {
    shape: preset.shape(recipe.scale),
    format: parseDatasetFormat(recipe.format),
    seed: recipe.seed,
  }
}

/** Writes the repository into an empty folder. */
export const writeDataset = async (
  plan: DatasetPlan,
  directory: string,
  { onProgress, signal }: GenerationWatch,
): Promise<GeneratedDataset> => {
  const { shape, format, seed } = plan
  const source = createTextSource(seededRandom(seed))
  // Loaded for this alone: its hundreds of files are a quarter of the start of every other command.
  const { createRepository } = await import('@assay/revlog')
  const repository = createRepository(directory, format)
  const tree = new FileTree(source, shape.directoryDepth)
  const maker: ChangeMaker = { shape, source, tree, repository }
  const people = inventPeople(source, shape.users)
  const lines = new LinesOfWork(source, shape)
  const pause = Math.max(1, Math.min(100, Math.ceil(shape.changesets / 100)))
  // A skewed draw is a quarter of its limit on average.
  const maxGapSeconds = Math.max(1, Math.floor((4 * HISTORY_SECONDS) / shape.changesets))
  let time = FIRST_TIME
  for (let done = 1; done <= shape.changesets; done += 1) {
    time += 1 + source.pickSkewed(maxGapSeconds)
    const step = lines.next()
    const head = { user: people[source.pickSkewed(people.length)] ?? 'nobody', time }
    const { rev } = repository.commit({ ...head, ...changesetOf(maker, lines, step) })
    lines.done(step, rev)
    if (done % pause !== 0 && done < shape.changesets) continue
    onProgress?.(done, shape.changesets)
    await eventLoopTurn()
    signal?.throwIfAborted()
  }
  repository.close()
  return { revisions: repository.length, files: repository.pathCount, bytes: treeBytes(directory) }
}

/** 2005-05-03, the date of Mercurial's first changeset; chosen. */
const FIRST_TIME = 1_115_078_400

/** From the first changeset to the last: 12 years, so that no date is beyond 2038; chosen. */
const HISTORY_SECONDS = 378_000_000

/** Seconds west of UTC; chosen. */
const ZONES = [0, -3_600, -7_200, 18_000, 25_200, 28_800]

const changesetOf = (
  maker: ChangeMaker,
  lines: LinesOfWork,
  step: Step,
): Omit<NewChangeset, 'user' | 'time'> => {
  const { shape, source } = maker
  const timezoneSeconds = ZONES[source.pick(ZONES.length)] ?? 0
  const description = source.message(shape.messageBytes)
  if (step.kind === 'merge') {
    const { first, second, line } = step
    const files = mergeChanges(maker, { first, line, sequence: lines.mainLength })
    return { p1: first, p2: second, timezoneSeconds, description: `merge: ${description}`, files }
  }
  const line = step.kind === 'side' ? step.line : undefined
  const place = { parent: step.parent, line, sequence: lines.mainLength }
  const files = ordinaryChanges(maker, place)
  const isDraft = shape.draftHeads && line?.fate === 'head'
  return {
    p1: step.parent,
    p2: -1,
    timezoneSeconds,
    description,
    files,
    phase: isDraft ? 'draft' : 'public',
    ...(line?.branch === undefined ? {} : { extra: new Map([['branch', line.branch]]) }),
  }
}

const inventPeople = (source: TextSource, people: number): readonly string[] =>
  Array.from({ length: people }, () => {
    const [first, last] = [source.word(), source.word()]
    return `${first} ${last} <${first}.${last}@example.com>`
  })
