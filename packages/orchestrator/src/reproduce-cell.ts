/** Use-case: the shell line that does what one sample of a cell did, in the same environment. */
import { type Engine, engineNamed, hasFreshCopies } from '@assay/bench'
import { childEnvironment } from '@assay/measure'
import type { PlannedBlock, PlannedCell } from '@assay/model'
import type { Store } from '@assay/store'
import { cellUnknown, notReproducible, runImported } from './errors.ts'
import { importFlavor } from './import-plan.ts'
import type { DatasetProvider } from './prepare-cells.ts'

/** A cell by its id, e.g. `b2.c1`, in a run by reference. */
export interface CellReference {
  readonly run: string
  readonly cell: string
}

/** What reproducing needs. */
export interface ReproductionSite {
  readonly store: Store
  readonly engines: readonly Engine[]
  readonly datasets: DatasetProvider
  /** Where programs are looked up. */
  readonly path: string
  readonly signal: AbortSignal
}

/** A word as a POSIX shell reads it back. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

interface FoundCell {
  readonly cell: PlannedCell
  readonly block: PlannedBlock
}

const findCell = (reference: CellReference, store: Store): FoundCell => {
  const { plan } = store.runs.get(store.runs.find(reference.run).id)
  const all = plan.blocks.flatMap((block) => block.cells.map((cell) => ({ cell, block })))
  const found = all.find(({ cell }) => cell.id === reference.cell)
  if (found === undefined) {
    throw cellUnknown(
      reference.cell,
      all.map(({ cell: { id, label } }) => `${id} (${label})`),
    )
  }
  return found
}

/** Where the line copies a dataset to that its command may write into. */
const copyPathOf = ({ id }: PlannedCell): string => `/tmp/assay-reproduce-${id}`

/** The line; its dataset is prepared first. Errors: `run-not-found`, `cell-unknown`, `not-reproducible`, `run-imported`. */
export const reproduceCell = async (
  reference: CellReference,
  site: ReproductionSite,
): Promise<string> => {
  const { cell, block } = findCell(reference, site.store)
  if (cell.engine.flavor === importFlavor) throw runImported(reference.run)
  if (cell.unsupported !== null) throw notReproducible(cell.id, cell.unsupported)
  const engine = engineNamed(site.engines, cell.engine.name)
  const dataset =
    cell.dataset !== null && engine.readsDataset
      ? await site.datasets(cell.dataset, site.signal)
      : null
  const copy = dataset !== null && hasFreshCopies(cell, block) ? copyPathOf(cell) : null
  const argv = engine.commandLine(cell, copy ?? dataset)
  if (argv === null) throw notReproducible(cell.id, `the engine ${engine.name} starts no program`)
  const environment = childEnvironment({ path: site.path, home: '/nonexistent', paddingBytes: 0 })
  const variables = Object.entries(environment)
    .filter(([name]) => name !== 'ASSAY_PADDING')
    .map(([name, value]) => `${name}=${quoted(value)}`)
  const line = ['env', '-i', ...variables, ...argv.map(quoted)].join(' ')
  if (dataset === null || copy === null) return line
  return `rm -rf ${copy} && cp -a --reflink=auto ${quoted(dataset)} ${copy} && ${line}`
}
