/**
 * Makes the cells of a block ready: datasets prepared, engines asked, then set up one after another.
 * What fails, fails alone.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Engine, engineNamed, type OpenCell, openCell } from '@assay/bench'
import type { Launcher } from '@assay/measure'
import {
  AssayError,
  type DatasetSpec,
  type PlannedBlock,
  type PlannedCell,
  type Round,
} from '@assay/model'
import type { Scratch } from './scratch.ts'

/** Prepares a dataset on this host, or finds it prepared; gives its folder. Stops at the signal. */
export type DatasetProvider = (spec: DatasetSpec, signal: AbortSignal) => Promise<string>

/** What preparing needs. */
export interface PreparationSite {
  readonly engines: readonly Engine[]
  readonly datasets: DatasetProvider
  /** Folders of this block's own. */
  readonly scratch: Scratch
  readonly launcher: () => Promise<Launcher>
  /** Where commands and hooks start, unless the plan says. */
  readonly workingDirectory: string
  readonly timeoutSeconds: number
  /** Rounds of the take that are saved: what was calibrated in them holds on. */
  readonly rounds: readonly Round[]
  /** Processors that children are kept to; null: all. */
  readonly cpus: string | null
  /** Stops whatever a cell does. */
  readonly signal: AbortSignal
  /** Stops preparing datasets. */
  readonly preparing: AbortSignal
}

/** Cells that can be measured, and the reasons why others cannot. */
export interface PreparedCells {
  readonly ready: ReadonlyMap<string, OpenCell>
  readonly failed: ReadonlyMap<string, string>
}

/** The last words of an error for a person. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** The inner repeats of the block's last saved sample, the same for all its cells; null of none. */
const savedLoopsOf = (rounds: readonly Round[]): number | null =>
  rounds.flatMap(({ samples }) => samples).findLast(({ outcome }) => outcome === 'good')?.loops ??
  null

/** Under the host lock: to generate or to read a dataset disturbs who measures here. */
const datasetOf = async (
  cell: PlannedCell,
  engine: Engine,
  { launcher, datasets, preparing }: PreparationSite,
): Promise<string | null> => {
  if (cell.dataset === null || !engine.readsDataset) return null
  await launcher()
  return datasets(cell.dataset, preparing)
}

const prepareCell = async (
  cell: PlannedCell,
  block: PlannedBlock,
  site: PreparationSite,
): Promise<OpenCell> => {
  const engine = engineNamed(site.engines, cell.engine.name)
  const datasetDirectory = await datasetOf(cell, engine, site)
  const scratchDirectory = join(site.scratch.directory, cell.id)
  const copiesDirectory = join(site.scratch.copiesDirectory, cell.id)
  await mkdir(scratchDirectory)
  const { launcher, timeoutSeconds, cpus, signal } = site
  return openCell(engine, cell, {
    ...{ block, datasetDirectory, scratchDirectory, launcher, timeoutSeconds, cpus, signal },
    copiesDirectory,
    workingDirectory: cell.workingDirectory ?? site.workingDirectory,
    savedLoops: savedLoopsOf(site.rounds),
  })
}

/** Prepares every supported cell of the block, one after another; rejects if it was stopped. */
export const prepareCells = async (
  block: PlannedBlock,
  site: PreparationSite,
): Promise<PreparedCells> => {
  const ready = new Map<string, OpenCell>()
  const failed = new Map<string, string>()
  for (const cell of block.cells) {
    if (cell.unsupported !== null) continue
    try {
      ready.set(cell.id, await prepareCell(cell, block, site))
    } catch (error) {
      site.preparing.throwIfAborted()
      failed.set(cell.id, reasonOf(error))
    }
  }
  return { ready, failed }
}

/**
 * Sets up every prepared cell; those that cannot be are closed and join the failed ones. Rejects if
 * it was stopped.
 */
export const setUpCells = async (
  { ready, failed }: PreparedCells,
  { signal, onCleanupFailed }: Pick<PreparationSite, 'signal'> & ClosingSite,
): Promise<PreparedCells> => {
  const set = new Map<string, OpenCell>()
  const reasons = new Map(failed)
  for (const [cellId, cell] of ready) {
    try {
      await cell.setUp()
      set.set(cellId, cell)
    } catch (error) {
      signal.throwIfAborted()
      reasons.set(cellId, reasonOf(error))
      const spoilt = await closeCells(new Map([[cellId, cell]]), { onCleanupFailed })
      for (const [id, reason] of spoilt) reasons.set(id, reason)
    }
  }
  return { ready: set, failed: reasons }
}

/** Who hears of a cleanup that failed: nothing that was measured is worse for it. */
export interface ClosingSite {
  readonly onCleanupFailed: (cellId: string, reason: string) => void
}

/**
 * Closes cells, each whatever became of the others; gives the reasons of those whose samples cannot be
 * trusted, since their dataset was changed.
 */
export const closeCells = async (
  cells: ReadonlyMap<string, OpenCell>,
  { onCleanupFailed }: ClosingSite,
): Promise<ReadonlyMap<string, string>> => {
  const spoilt = new Map<string, string>()
  for (const [cellId, cell] of cells) {
    await cell.close().catch((error: unknown) => {
      const isSpoilt = error instanceof AssayError && error.code === 'dataset-changed'
      if (isSpoilt) spoilt.set(cellId, error.message)
      else onCleanupFailed(cellId, reasonOf(error))
    })
  }
  return spoilt
}
