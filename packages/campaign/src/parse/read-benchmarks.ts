/** Reads `benchmarks`: every parameter written out, the ones not given at their fallback. */
import {
  type BenchmarkDeclaration,
  type BenchmarkSpec,
  datasetPlace,
  loopsPlace,
  placesIn,
} from '@assay/model'
import { quoted, unknownName } from '../did-you-mean.ts'
import {
  entryOf,
  itemsOf,
  type LocatedNode,
  type MapEntry,
  type TextNode,
  textOf,
  textsOf,
} from '../source/located-node.ts'
import { parameterLevel } from '../surface/texts.ts'
import { checkPlaces } from './check-places.ts'
import type { LocatedCompare } from './read-compare.ts'
import { hookTexts, readExecution } from './read-execution.ts'
import { commandFactor, type Reading, reservedFactors } from './reading.ts'

/** Factors that are compared without being a parameter. */
const factorsOfPlan: readonly string[] = reservedFactors.filter((factor) => factor !== 'benchmark')

interface WrittenBenchmark {
  readonly declaration: BenchmarkDeclaration
  readonly parameters: readonly MapEntry[]
  readonly command: readonly TextNode[] | null
  readonly commandOffset: number
  readonly hooks: readonly TextNode[]
  readonly offset: number
}

const writtenBenchmark = (item: LocatedNode, reading: Reading): WrittenBenchmark | null => {
  const nameNode = item.kind === 'text' ? item : entryOf(item, 'name')?.value
  const name = textOf(nameNode)
  const declaration = reading.catalogue.benchmarks.find((benchmark) => benchmark.name === name)
  if (declaration === undefined || nameNode === undefined) return null
  const given = entryOf(item, 'with')?.value
  const command = declaration.takesCommand === true ? entryOf(item, 'command') : undefined
  return {
    declaration,
    parameters: given?.kind === 'map' ? given.entries : [],
    command: command === undefined ? null : textsOf(command.value),
    commandOffset: command?.keyOffset ?? nameNode.offset,
    hooks: hookTexts(item),
    offset: nameNode.offset,
  }
}

/** Checks the levels of one parameter and returns them as written. */
const levelsOf = (entry: MapEntry, { faults }: Reading): readonly string[] => {
  const texts = textsOf(entry.value)
  const seen = new Set<string>()
  for (const { text, offset } of texts) {
    if (seen.has(text)) {
      const message = `the level ${quoted(text)} of ${entry.key} is there twice; remove one`
      faults.add(offset, 'duplicate-level', message)
    }
    seen.add(text)
  }
  return texts.map(({ text }) => text)
}

const parametersOf = (
  written: WrittenBenchmark,
  compare: LocatedCompare | null,
  reading: Reading,
): Readonly<Record<string, readonly string[]>> => {
  const given = written.parameters.map(
    (entry) => [entry.key, [...levelsOf(entry, reading)]] as const,
  )
  const names = new Set<string>([
    ...written.parameters.map(({ key }) => key),
    compare?.factor ?? '',
  ])
  const fallbacks = written.declaration.parameters.flatMap(({ name, fallback }) =>
    fallback === null || names.has(name) ? [] : [[name, [fallback]] as const],
  )
  return Object.fromEntries([...given, ...fallbacks])
}

/** A parameter that is compared is not set as well, and no parameter has the name of a factor. */
const checkNames = (
  { parameters }: WrittenBenchmark,
  compare: LocatedCompare | null,
  { faults }: Reading,
): void => {
  for (const { key, keyOffset } of parameters) {
    if (key === compare?.factor) {
      faults.add(keyOffset, 'compared-and-set', `${key} is compared; remove it from \`with\``)
    } else if (key === loopsPlace) {
      const message =
        'loops cannot name a parameter, it is the number of inner repeats; choose another name'
      faults.add(keyOffset, 'reserved-name', message)
    } else if (reservedFactors.some((factor) => factor === key)) {
      const message = `${key} cannot name a parameter, it names a factor; choose another name`
      faults.add(keyOffset, 'reserved-name', message)
    }
  }
}

/** Whether its command or a hook asks for a dataset. */
const namesDataset = ({ command, hooks }: WrittenBenchmark): boolean =>
  [...(command ?? []), ...hooks].some(({ text }) => placesIn(text).includes(datasetPlace))

/** The compared factor must be a factor of the plan, or a parameter of every named benchmark. */
const checkFactor = (
  written: WrittenBenchmark,
  compare: LocatedCompare,
  { catalogue, faults }: Reading,
): void => {
  const { declaration } = written
  const { factor, factorOffset, levels } = compare
  if (factor === 'dataset' && !declaration.needsDataset && !namesDataset(written)) {
    const message = `${declaration.name} uses no dataset, so datasets cannot be compared by it`
    faults.add(written.offset, 'compare-not-applicable', message)
  }
  if (factorsOfPlan.includes(factor) || declaration.takesCommand === true) return
  const parameter = declaration.parameters.find(({ name }) => name === factor)
  if (parameter === undefined) {
    const names = declaration.parameters.map(({ name }) => name)
    const elsewhere = catalogue.benchmarks.some(({ parameters }) =>
      parameters.some(({ name }) => name === factor),
    )
    const message = elsewhere
      ? `${declaration.name} has no parameter ${quoted(factor)}, which is compared; give it a campaign of its own`
      : unknownName(`factor or parameter of ${declaration.name}`, factor, [
          ...factorsOfPlan,
          ...names,
        ])
    faults.add(elsewhere ? written.offset : factorOffset, 'unknown-factor', message)
    return
  }
  const schema = parameterLevel(parameter)
  for (const { level, offset } of levels) {
    const fault = schema.safeParse(level).error?.issues[0]
    if (fault !== undefined) faults.add(offset, 'unknown-name', fault.message)
  }
}

/** A benchmark that takes a command has one, its own or compared ones; no other has any. */
const checkCommand = (
  { declaration, command, commandOffset, offset }: WrittenBenchmark,
  compare: LocatedCompare | null,
  { faults }: Reading,
): void => {
  const { name } = declaration
  const isCompared = compare?.factor === commandFactor
  if (declaration.takesCommand !== true) {
    if (!isCompared) return
    const message = `${name} takes no command, and commands are compared; give it a campaign of its own`
    faults.add(offset, 'compare-not-applicable', message)
  } else if (command !== null && isCompared) {
    const message = 'command is compared; remove it from the benchmark'
    faults.add(commandOffset, 'compared-and-set', message)
  } else if (command === null && !isCompared) {
    const message = `${name} needs a command; write { name: ${name}, command: [program, argument] }`
    faults.add(offset, 'command-missing', message)
  }
}

/** The commands that it runs: its own, or each that is compared; none where it takes none. */
const commandsOf = (
  { declaration, command }: WrittenBenchmark,
  compare: LocatedCompare | null,
): readonly (readonly TextNode[])[] => {
  if (declaration.takesCommand !== true) return []
  if (command !== null) return [command]
  return compare?.levels.flatMap((level) => (level.command ? [level.command] : [])) ?? []
}

const readBenchmark = (
  item: LocatedNode,
  compare: LocatedCompare | null,
  reading: Reading,
): readonly BenchmarkSpec[] => {
  const written = writtenBenchmark(item, reading)
  if (written === null) return []
  const { declaration, command, hooks, offset } = written
  checkNames(written, compare, reading)
  if (compare !== null) checkFactor(written, compare, reading)
  checkCommand(written, compare, reading)
  const commands = commandsOf(written, compare)
  const parameters = parametersOf(written, compare, reading)
  const execution = readExecution(item, { declaration, commands }, reading)
  checkPlaces(
    {
      ...{ commands, offset, hooks, written: written.parameters },
      parameters: Object.keys(parameters),
      mayUseDataset: declaration.needsDataset || declaration.takesCommand === true,
    },
    compare,
    reading,
  )
  return [
    {
      name: declaration.name,
      parameters,
      command: command?.map(({ text }) => text) ?? null,
      ...(execution === undefined ? {} : { execution }),
    },
  ]
}

/** The benchmarks, with compared parameters left out; faults are reported. */
export const readBenchmarks = (
  compare: LocatedCompare | null,
  reading: Reading,
): readonly BenchmarkSpec[] =>
  itemsOf(entryOf(reading.root, 'benchmarks')?.value).flatMap((item) =>
    readBenchmark(item, compare, reading),
  )
