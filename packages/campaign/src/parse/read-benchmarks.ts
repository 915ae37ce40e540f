/** Reads `benchmarks`: every parameter written out, the ones not given at their fallback. */
import type { BenchmarkDeclaration, BenchmarkSpec } from '@assay/model'
import { quoted, unknownName } from '../did-you-mean.ts'
import { placesIn } from '../plan/fill-places.ts'
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
import type { LocatedCompare } from './read-compare.ts'
import { type Reading, reservedFactors } from './reading.ts'

/** Factors that are compared without being a parameter. */
const factorsOfPlan: readonly string[] = reservedFactors.filter((factor) => factor !== 'benchmark')

interface WrittenBenchmark {
  readonly declaration: BenchmarkDeclaration
  readonly parameters: readonly MapEntry[]
  readonly command: readonly TextNode[] | null
  readonly offset: number
}

const writtenBenchmark = (item: LocatedNode, reading: Reading): WrittenBenchmark | null => {
  const nameNode = item.kind === 'text' ? item : entryOf(item, 'name')?.value
  const name = textOf(nameNode)
  const declaration = reading.catalogue.benchmarks.find((benchmark) => benchmark.name === name)
  if (declaration === undefined || nameNode === undefined) return null
  const given = entryOf(item, 'with')?.value
  const command = textsOf(entryOf(item, 'command')?.value)
  return {
    declaration,
    parameters: given?.kind === 'map' ? given.entries : [],
    command: declaration.takesCommand === true ? command : null,
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
  const given = written.parameters.map((entry) => [entry.key, levelsOf(entry, reading)] as const)
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
    } else if (reservedFactors.some((factor) => factor === key)) {
      const message = `${key} cannot name a parameter, it names a factor; choose another name`
      faults.add(keyOffset, 'reserved-name', message)
    }
  }
}

/** The compared factor must be a factor of the plan, or a parameter of every named benchmark. */
const checkFactor = (
  written: WrittenBenchmark,
  compare: LocatedCompare,
  { catalogue, faults }: Reading,
): void => {
  const { declaration } = written
  const { factor, factorOffset, levels } = compare
  if (factor === 'dataset' && !declaration.needsDataset) {
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

/** Every place of a command has a factor, and what varies is used. */
const checkCommand = (
  written: WrittenBenchmark,
  compare: LocatedCompare | null,
  { faults }: Reading,
): void => {
  const { command, parameters, offset } = written
  if (command === null || command.length === 0) return
  const compared =
    compare === null || factorsOfPlan.includes(compare.factor) ? [] : [compare.factor]
  const known = ['mode', ...parameters.map(({ key }) => key), ...compared]
  const used = new Set(command.flatMap(({ text }) => placesIn(text)))
  for (const argument of command) {
    for (const place of placesIn(argument.text).filter((name) => !known.includes(name))) {
      const words = unknownName(
        'place',
        `$\{${place}}`,
        known.map((name) => `$\{${name}}`),
      )
      faults.add(argument.offset, 'unknown-place', `${words} (write $$\{ for a literal $\{)`)
    }
  }
  for (const { key, keyOffset } of parameters.filter(({ key }) => !used.has(key))) {
    const message = `the command does not use ${key}; put $\{${key}} into it, or remove the parameter`
    faults.add(keyOffset, 'unused-parameter', message)
  }
  const varied = compare?.factor === 'mode' ? 'mode' : compared[0]
  if (varied !== undefined && !used.has(varied)) {
    const message = `${varied} is compared, but the command is the same for all; put $\{${varied}} into it`
    faults.add(offset, 'nothing-varies', message)
  }
}

/** The benchmarks, with compared parameters left out; faults are reported. */
export const readBenchmarks = (
  compare: LocatedCompare | null,
  reading: Reading,
): readonly BenchmarkSpec[] =>
  itemsOf(entryOf(reading.root, 'benchmarks')?.value).flatMap((item) => {
    const written = writtenBenchmark(item, reading)
    if (written === null) return []
    checkNames(written, compare, reading)
    if (compare !== null) checkFactor(written, compare, reading)
    checkCommand(written, compare, reading)
    return [
      {
        name: written.declaration.name,
        parameters: Object.fromEntries(
          Object.entries(parametersOf(written, compare, reading)).map(([name, levels]) => [
            name,
            [...levels],
          ]),
        ),
        command: written.command?.map(({ text }) => text) ?? null,
      },
    ]
  })
