/**
 * Use-case: the shell line that does what one sample of a cell did, where it was done and in the same
 * environment; with its hooks, a line for each, in the order in which they ran.
 */
import {
  copiesOf,
  type Engine,
  engineNamed,
  extraHeadsOf,
  hookVariables,
  inputsOf,
  makeInputs,
  placeTexts,
} from '@assay/bench'
import { childEnvironment } from '@assay/measure'
import {
  fillPlaces,
  type HookName,
  type PlannedBlock,
  type PlannedCell,
  plainExecution,
} from '@assay/model'
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

/** A command in a sample's environment, which holds nothing of the shell's. */
const cleanLine = (
  argv: readonly string[],
  path: string,
  additions: Readonly<Record<string, string>>,
): string => {
  const all = childEnvironment({ path, home: '/nonexistent', paddingBytes: 0, additions })
  const variables = Object.entries(all)
    .filter(([name]) => name !== 'ASSAY_PADDING')
    .map(([name, value]) => `${name}=${quoted(value)}`)
  return ['env', '-i', ...variables, ...argv.map(quoted)].join(' ')
}

/** A hook's line with what it is above it; none for a hook that the cell does not have. */
const hookLines = (
  name: HookName,
  cell: PlannedCell,
  { path, dataset }: { readonly path: string; readonly dataset: string | null },
): readonly string[] => {
  const { hooks, env = {} } = cell.execution ?? plainExecution
  const hook = hooks[name]
  if (hook === undefined) return []
  const places = placeTexts(cell, dataset)
  const isOfSample = name === 'prepare' || name === 'conclude'
  const occasion = { cellId: cell.id, datasetDirectory: dataset }
  const own = hookVariables(isOfSample ? { ...occasion, round: '1' } : occasion)
  const filled = hook.map((argument) => fillPlaces(argument, places))
  const line = cleanLine(filled, path, { ...env, ...own })
  const when = isOfSample ? 'for each sample' : 'once for all samples'
  return [`# ${name}, ${when}, not timed`, line]
}

/** The lines around a sample's own, and that one with whatever must have succeeded before it. */
const scriptOf = (
  cell: PlannedCell,
  line: string,
  at: { readonly path: string; readonly dataset: string | null; readonly directory: string | null },
): string => {
  const hooks = (name: HookName): readonly string[] => hookLines(name, cell, at)
  const before = [...hooks('setup'), ...hooks('prepare')]
  const after = [...hooks('conclude'), ...hooks('cleanup')]
  const cd = at.directory === null ? null : `cd ${quoted(at.directory)}`
  if (before.length + after.length === 0) return cd === null ? line : `${cd} && ${line}`
  return [...(cd === null ? [] : [cd]), ...before, '# the sample', line, ...after].join('\n')
}

/** The line; its dataset is prepared first. Errors: `run-not-found`, `cell-unknown`, `not-reproducible`, `run-imported`. */
export const reproduceCell = async (
  reference: CellReference,
  site: ReproductionSite,
): Promise<string> => {
  const { cell, block } = findCell(reference, site.store)
  if (cell.engine.flavor === importFlavor) throw runImported(reference.run)
  if (cell.unsupported !== null) throw notReproducible(cell.id, cell.unsupported)
  const engine = engineNamed(site.engines, cell.engine.name)
  const original =
    cell.dataset !== null && engine.readsDataset
      ? await site.datasets(cell.dataset, site.signal)
      : null
  const inputs = original === null ? null : inputsOf(cell, block, original)
  if (inputs !== null && original !== null) await makeInputs(inputs, original, site.signal)
  const copies = copiesOf(cell, block, { inputs, folder: copyPathOf(cell) })
  const seen = (path: string | null): string | null =>
    copies.find((one) => one.original === path)?.copy ?? path
  const dataset = seen(inputs?.dataset ?? null)
  const argv = engine.commandLine(cell, {
    ...{ benchmark: block.benchmark.name, mode: cell.mode },
    ...{ dataset, remote: seen(inputs?.remote ?? null) },
    ...{ bundle: inputs?.bundle ?? null, extraHeads: () => extraHeadsOf(inputs), scratch: null },
  })
  if (argv === null) throw notReproducible(cell.id, `the engine ${engine.name} starts no program`)
  const line = cleanLine(argv, site.path, cell.execution?.env ?? {})
  const fresh = copies.map(
    ({ original: from, copy }) => `cp -a --reflink=auto ${quoted(from)} ${copy} && `,
  )
  const folder = copyPathOf(cell)
  const renewed =
    fresh.length === 0 ? line : `rm -rf ${folder} && mkdir ${folder} && ${fresh.join('')}${line}`
  const directory = cell.workingDirectory ?? null
  return scriptOf(cell, renewed, { path: site.path, dataset, directory })
}
