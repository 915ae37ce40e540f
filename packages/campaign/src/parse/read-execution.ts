/** Reads how a benchmark is executed: hooks, exit codes, the check of its output, repeats. */
import {
  type BenchmarkDeclaration,
  canonicalJson,
  datasetPlace,
  type Execution,
  hookNames,
  loopsPlace,
  type OutputCheck,
  placesIn,
  plainExecution,
} from '@assay/model'
import {
  entryOf,
  type LocatedNode,
  type TextNode,
  textOf,
  textsOf,
} from '../source/located-node.ts'
import type { Reading } from './reading.ts'

/** The texts of all hooks of a benchmark. */
export const hookTexts = (item: LocatedNode): readonly TextNode[] => {
  const hooks = entryOf(item, 'hooks')?.value
  return hookNames.flatMap((name) => textsOf(entryOf(hooks, name)?.value))
}

const hooksOf = (item: LocatedNode): Execution['hooks'] => {
  const hooks = entryOf(item, 'hooks')?.value
  return Object.fromEntries(
    hookNames.flatMap((name) => {
      const argv = textsOf(entryOf(hooks, name)?.value).map(({ text }) => text)
      return argv.length === 0 ? [] : [[name, argv]]
    }),
  )
}

const exitCodesOf = (item: LocatedNode): Execution['exitCodes'] => {
  const texts = textsOf(entryOf(item, 'exitCodes')?.value).map(({ text }) => text)
  if (texts.length === 0) return plainExecution.exitCodes
  if (texts[0] === 'any') return 'any'
  return [...new Set(texts.map(Number))].sort((left, right) => left - right)
}

const outputOf = (item: LocatedNode, { faults }: Reading): OutputCheck | null => {
  const output = entryOf(item, 'output')
  if (output === undefined) return null
  const contains = textOf(entryOf(output.value, 'contains')?.value)
  const sha256 = textOf(entryOf(output.value, 'sha256')?.value)
  const every = textOf(entryOf(output.value, 'every')?.value) === 'true'
  if ((contains === undefined) === (sha256 === undefined)) {
    const message = 'output is checked in one way; write { contains: TEXT } or { sha256: HEX }'
    faults.add(output.keyOffset, 'output-one-check', message)
  }
  if (sha256 !== undefined) return { sha256: sha256.toLowerCase(), every }
  return contains === undefined ? null : { contains, every }
}

/** Sorted, so that their order makes no other variant. */
const envOf = (item: LocatedNode): Pick<Execution, 'env'> => {
  const env = entryOf(item, 'env')?.value
  if (env?.kind !== 'map' || env.entries.length === 0) return {}
  const written = env.entries.map(({ key, value }) => [key, textOf(value) ?? ''] as const)
  return { env: Object.fromEntries(written.sort(([one], [other]) => (one < other ? -1 : 1))) }
}

const hasLoops = (command: readonly TextNode[]): boolean =>
  command.some(({ text }) => placesIn(text).includes(loopsPlace))

const loopsOf = (
  item: LocatedNode,
  commands: readonly (readonly TextNode[])[],
  { faults }: Reading,
): Execution['loops'] => {
  const entry = entryOf(item, 'loops')
  const written = textOf(entry?.value)
  const without = commands.find((command) => !hasLoops(command))
  if (without !== undefined && (entry !== undefined || commands.some(hasLoops))) {
    const offset = entry?.keyOffset ?? without[0]?.offset ?? item.offset
    const message = `the command does not use loops; put $\{${loopsPlace}} into it, where it repeats itself that often`
    faults.add(offset, 'loops-unused', message)
  }
  if (written !== undefined && written !== 'auto') return Number(written)
  return commands.some(hasLoops) ? 'auto' : plainExecution.loops
}

/** What is executed, as far as it says how. */
export interface Executed {
  readonly declaration: BenchmarkDeclaration
  /** The commands that it runs, one a compared command; none where it takes none. */
  readonly commands: readonly (readonly TextNode[])[]
}

/** A copy for each sample, where there is a dataset to copy and the benchmark has none anyway. */
const freshCopyOf = (
  item: LocatedNode,
  { declaration, commands }: Executed,
  { faults }: Reading,
): Pick<Execution, 'freshCopy'> => {
  const entry = entryOf(item, 'freshCopy')
  const written = textOf(entry?.value)
  if (entry === undefined || written === undefined) return {}
  const { name, mutatesRepository, needsDataset } = declaration
  const isWanted = written === 'yes' || written === 'true'
  if (mutatesRepository) {
    const message = `${name} writes into its dataset, so each sample has a fresh copy; remove freshCopy`
    if (!isWanted) faults.add(entry.keyOffset, 'fresh-copy-needed', message)
    return {}
  }
  if (!isWanted) return {}
  const texts = [...commands.flat(), ...hookTexts(item)]
  if (!needsDataset && !texts.some(({ text }) => placesIn(text).includes(datasetPlace))) {
    const message = `${name} has no dataset to copy; put $\{${datasetPlace}} into its command, or remove freshCopy`
    faults.add(entry.keyOffset, 'fresh-copy-unused', message)
  }
  return { freshCopy: true }
}

/** How a benchmark is executed, or undefined where it is plain; faults are reported. */
export const readExecution = (
  item: LocatedNode,
  executed: Executed,
  reading: Reading,
): Execution | undefined => {
  const parallel = textOf(entryOf(item, 'parallel')?.value)
  const execution: Execution = {
    hooks: hooksOf(item),
    exitCodes: exitCodesOf(item),
    output: outputOf(item, reading),
    parallel: parallel === undefined ? plainExecution.parallel : Number(parallel),
    loops: loopsOf(item, executed.commands, reading),
    ...envOf(item),
    ...freshCopyOf(item, executed, reading),
  }
  return canonicalJson(execution) === canonicalJson(plainExecution) ? undefined : execution
}
