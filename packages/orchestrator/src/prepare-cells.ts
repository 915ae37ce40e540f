/** Makes the cells of a block ready: datasets prepared, engines asked. What fails, fails alone. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, MeasurableCell } from '@assay/bench'
import { engineNamed } from '@assay/bench'
import type { Launcher } from '@assay/measure'
import type { DatasetSpec, PlannedBlock, PlannedCell } from '@assay/model'

/** Prepares a dataset on this host, or finds it prepared; gives its folder. Stops at the signal. */
export type DatasetProvider = (spec: DatasetSpec, signal: AbortSignal) => Promise<string>

/** What preparing needs. */
export interface PreparationSite {
  readonly engines: readonly Engine[]
  readonly datasets: DatasetProvider
  /** An empty folder of this block's own. */
  readonly scratchDirectory: string
  readonly launcher: () => Promise<Launcher>
  /** Stops preparing. */
  readonly signal: AbortSignal
}

/** Cells that can be measured, and the reasons why others cannot. */
export interface PreparedCells {
  readonly ready: ReadonlyMap<string, MeasurableCell>
  readonly failed: ReadonlyMap<string, string>
}

/** The last words of an error for a person. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const prepareCell = async (
  cell: PlannedCell,
  block: PlannedBlock,
  site: PreparationSite,
): Promise<MeasurableCell> => {
  const engine = engineNamed(site.engines, cell.engine.name)
  const datasetDirectory =
    cell.dataset !== null && engine.readsDataset
      ? await site.datasets(cell.dataset, site.signal)
      : null
  const scratchDirectory = join(site.scratchDirectory, cell.id)
  await mkdir(scratchDirectory)
  return engine.prepare(cell, {
    block,
    datasetDirectory,
    scratchDirectory,
    launcher: site.launcher,
  })
}

/** Prepares every supported cell of the block, one after another; rejects if it was stopped. */
export const prepareCells = async (
  block: PlannedBlock,
  site: PreparationSite,
): Promise<PreparedCells> => {
  const ready = new Map<string, MeasurableCell>()
  const failed = new Map<string, string>()
  for (const cell of block.cells) {
    if (cell.unsupported !== null) continue
    try {
      ready.set(cell.id, await prepareCell(cell, block, site))
    } catch (error) {
      site.signal.throwIfAborted()
      failed.set(cell.id, reasonOf(error))
    }
  }
  return { ready, failed }
}
