/** Reads `engines`, or takes them from the compared levels, or takes the first that fits. */
import type { BenchmarkSpec, Catalogue, EngineDeclaration, EngineSpec } from '@assay/model'
import { quoted, unknownName } from '../did-you-mean.ts'
import { engineTitle, isEngine } from '../engine-title.ts'
import {
  entryOf,
  itemsOf,
  type LocatedNode,
  type TextNode,
  textsOf,
} from '../source/located-node.ts'
import type { LocatedCompare } from './read-compare.ts'
import { defaultMode, type Reading } from './reading.ts'

/** An engine as written: its name, what it is given, its flavors. */
interface WrittenEngine {
  readonly declaration: EngineDeclaration
  readonly given: string | null
  readonly flavors: readonly TextNode[]
  readonly offset: number
}

const findEngine = (name: TextNode, { catalogue, faults }: Reading): EngineDeclaration | null => {
  const found = catalogue.engines.find((engine) => engine.name === name.text)
  if (found === undefined) {
    const names = catalogue.engines.map((engine) => engine.name)
    faults.add(name.offset, 'unknown-name', unknownName('engine', name.text, names))
  }
  return found ?? null
}

/** `revlog`, or `hg 7.2.4`: a name and what the engine takes. */
const fromText = (node: TextNode, reading: Reading): WrittenEngine | null => {
  const [name = '', ...rest] = node.text.split(' ')
  const declaration = findEngine({ ...node, text: name }, reading)
  if (declaration === null) return null
  const given = rest.length === 0 ? null : rest.join(' ')
  if (given !== null && declaration.takes === undefined) {
    const message = `the engine ${name} takes nothing after its name; write ${name}`
    reading.faults.add(node.offset, 'engine-takes-nothing', message)
  }
  return { declaration, given, flavors: [], offset: node.offset }
}

/** `{ hg: 7.2.4, flavor: [default, rust] }` or `{ name: revlog, flavor: default }`. */
const fromMap = (node: LocatedNode, reading: Reading): WrittenEngine | null => {
  if (node.kind !== 'map') return null
  const [entry, second] = node.entries.filter(({ key }) => key !== 'flavor')
  if (entry?.value.kind !== 'text' || second !== undefined) {
    const message =
      'an engine has one name; write { hg: 7.2.4, flavor: rust } or { name: hg, flavor: rust }'
    reading.faults.add(second?.keyOffset ?? node.offset, 'engine-one-name', message)
    return null
  }
  const name: TextNode =
    entry.key === 'name' ? entry.value : { kind: 'text', text: entry.key, offset: entry.keyOffset }
  const declaration = findEngine(name, reading)
  if (declaration === null) return null
  const given = entry.key === 'name' ? null : entry.value.text
  const flavors = textsOf(entryOf(node, 'flavor')?.value)
  return { declaration, given, flavors, offset: name.offset }
}

/** The flavors asked for, checked; without any, the engine's first. */
const flavorsOf = (
  { declaration, flavors }: WrittenEngine,
  compare: LocatedCompare | null,
  { faults }: Reading,
): readonly string[] => {
  const [first] = flavors
  if (first !== undefined && compare?.factor === 'flavor') {
    const message = 'flavor is compared; remove it from the engine'
    faults.add(first.offset, 'compared-and-set', message)
  }
  for (const { text, offset } of flavors) {
    if (declaration.flavors.includes(text)) continue
    const message = unknownName(`flavor of ${declaration.name}`, text, declaration.flavors)
    faults.add(offset, 'unknown-name', message)
  }
  return flavors.length > 0 ? flavors.map(({ text }) => text) : declaration.flavors.slice(0, 1)
}

const specOf = (written: WrittenEngine, flavor: string): EngineSpec => {
  const { declaration, given } = written
  return {
    name: declaration.name,
    flavor,
    ...(declaration.takes === 'version' && given !== null ? { version: given } : {}),
    script: declaration.takes === 'script' ? given : null,
  }
}

/**
 * The first engine of the catalogue. Where all benchmarks are commands, which only some engines run,
 * the first that runs them and needs nothing to be given.
 */
const defaultEngine = (
  { benchmarks: declarations, engines }: Catalogue,
  benchmarks: readonly BenchmarkSpec[],
): EngineDeclaration | undefined => {
  const takesCommand = ({ name }: BenchmarkSpec): boolean =>
    declarations.some((one) => one.name === name && one.takesCommand === true)
  const runs = (engine: EngineDeclaration, { name }: BenchmarkSpec): boolean => {
    const flavor = engine.flavors[0] ?? ''
    const question = { benchmark: name, flavor, mode: defaultMode, parameters: {} }
    return engine.unsupportedReason(question) === null
  }
  const fits = engines.find(
    (engine) =>
      engine.takes === undefined &&
      benchmarks.every((one) => takesCommand(one) && runs(engine, one)),
  )
  return fits ?? engines[0]
}

/** Each compared engine or flavor is one of `engines`, and each engine is compared. */
const checkCompared = (
  compare: LocatedCompare,
  engines: readonly EngineSpec[],
  { catalogue, root, faults }: Reading,
): void => {
  const titles = [...new Set(engines.map(engineTitle))]
  if (compare.factor === 'flavor') {
    const flavors = catalogue.engines
      .filter(({ name }) => engines.some((engine) => engine.name === name))
      .flatMap((engine) => engine.flavors)
    for (const { level, offset } of compare.levels.filter((one) => !flavors.includes(one.level))) {
      const message = unknownName(`flavor of ${titles.join(', ')}`, level, [...new Set(flavors)])
      faults.add(offset, 'unknown-name', message)
    }
  }
  if (compare.factor !== 'engine') return
  for (const { level, offset } of compare.levels) {
    const meant = new Set(engines.filter((one) => isEngine(one, level)).map(engineTitle))
    if (meant.size === 0) {
      faults.add(offset, 'unknown-name', unknownName('engine of this campaign', level, titles))
    } else if (meant.size > 1) {
      const message = `${quoted(level)} may be ${[...meant].join(' or ')}; write one of these`
      faults.add(offset, 'ambiguous-engine', message)
    }
  }
  const idle = engines.find((one) => !compare.levels.some(({ level }) => isEngine(one, level)))
  if (idle !== undefined) {
    const message = `the engine ${engineTitle(idle)} is not compared; add it to compare.engine, or remove it`
    faults.add(entryOf(root, 'engines')?.keyOffset ?? 0, 'not-compared', message)
  }
}

const writtenEngines = (
  compare: LocatedCompare | null,
  benchmarks: readonly BenchmarkSpec[],
  reading: Reading,
): readonly WrittenEngine[] => {
  const section = entryOf(reading.root, 'engines')
  if (section !== undefined) {
    return itemsOf(section.value).flatMap((item) => {
      const written = item.kind === 'text' ? fromText(item, reading) : fromMap(item, reading)
      return written === null ? [] : [written]
    })
  }
  if (compare?.factor === 'engine') {
    return compare.levels.flatMap(({ level, offset }) => {
      const written = fromText({ kind: 'text', text: level, offset }, reading)
      return written === null ? [] : [written]
    })
  }
  const declaration = defaultEngine(reading.catalogue, benchmarks)
  return declaration === undefined ? [] : [{ declaration, given: null, flavors: [], offset: 0 }]
}

/** The engines, one a flavor, in written order; faults are reported. */
export const readEngines = (
  compare: LocatedCompare | null,
  benchmarks: readonly BenchmarkSpec[],
  reading: Reading,
): readonly EngineSpec[] => {
  const before = reading.faults.count()
  const seen = new Set<string>()
  const engines = writtenEngines(compare, benchmarks, reading).flatMap((written) =>
    flavorsOf(written, compare, reading).map((flavor) => {
      const spec = specOf(written, flavor)
      const key = `${engineTitle(spec)} ${flavor}`
      if (seen.has(key)) {
        const message = `the engine ${engineTitle(spec)} with flavor ${flavor} is there twice; remove one`
        reading.faults.add(written.offset, 'duplicate-engine', message)
      }
      seen.add(key)
      return spec
    }),
  )
  if (compare !== null && reading.faults.count() === before) {
    checkCompared(compare, engines, reading)
  }
  return engines
}
