/**
 * The matrix of a campaign, block by block: datasets, then benchmarks as written, then parameter
 * combinations with the last parameter varying fastest, then engines and flavors. Lazy, so that
 * asking whether there is a block at all does not build all of them.
 */
import type {
  BenchmarkDeclaration,
  BenchmarkSpec,
  Campaign,
  Catalogue,
  DatasetSpec,
  EngineSpec,
  LabelledLevel,
} from '@assay/model'
import { engineTitle, isEngine } from '../engine-title.ts'
import { notInCatalogue } from '../errors.ts'
import { type SelectableCell, selectorOf } from './selections.ts'
import { usesDataset } from './uses-dataset.ts'

/** One cell's levels; what a block's candidates differ in is only the compared factor. */
export type Candidate = SelectableCell & {
  /** From 0; the baseline is 0, also where it was excluded. */
  readonly place: number
  /** Program and arguments with their places, of a benchmark that takes them. */
  readonly command: readonly string[] | null
}

/** Cells that differ only in the compared factor, excluded ones left out; at least one. */
export interface BlockVariant {
  readonly benchmark: BenchmarkSpec
  readonly declaration: BenchmarkDeclaration
  readonly candidates: readonly [Candidate, ...Candidate[]]
}

/** Every combination of one level of each parameter. */
function* combinations(
  parameters: Readonly<Record<string, readonly string[]>>,
): Generator<Readonly<Record<string, string>>> {
  const axes = Object.entries(parameters)
  const at = axes.map(() => 0)
  if (axes.some(([, levels]) => levels.length === 0)) return
  for (;;) {
    yield Object.fromEntries(
      axes.map(([name, levels], axis) => [name, levels[at[axis] ?? 0] ?? '']),
    )
    let axis = axes.length - 1
    for (; axis >= 0; axis -= 1) {
      const next = (at[axis] ?? 0) + 1
      at[axis] = next < (axes[axis]?.[1].length ?? 0) ? next : 0
      if (at[axis] !== 0) break
    }
    if (axis < 0) return
  }
}

/**
 * The engines of one block by compared level: the same engine for all levels, unless engines are
 * compared. Then each flavor that some engine has beside others makes a block, and an engine with
 * one flavor takes part in each.
 */
export const engineChoices = (
  campaign: Campaign,
): readonly ((level: string) => EngineSpec | undefined)[] => {
  const { compare, engines } = campaign
  if (compare.factor === 'flavor') {
    return engines.map((engine) => (flavor: string) => ({ ...engine, flavor }))
  }
  if (compare.factor !== 'engine') return engines.map((engine) => () => engine)
  const hasOthers = (engine: EngineSpec): boolean =>
    engines.some(
      (other) => engineTitle(other) === engineTitle(engine) && other.flavor !== engine.flavor,
    )
  const flavors = new Set(engines.filter(hasOthers).map(({ flavor }) => flavor))
  const choices = flavors.size === 0 ? [null] : [...flavors]
  return choices.map((flavor) => (level: string) => {
    const specs = engines.filter((engine) => isEngine(engine, level))
    return specs.length === 1 ? specs[0] : specs.find((engine) => engine.flavor === flavor)
  })
}

interface Base {
  readonly campaign: Campaign
  readonly benchmark: BenchmarkSpec
  readonly dataset: DatasetSpec | null
  readonly parameters: Readonly<Record<string, string>>
  readonly engineFor: (level: string) => EngineSpec | undefined
}

const candidateOf = (base: Base, labelled: LabelledLevel, place: number): Candidate | null => {
  const { campaign, benchmark, dataset, parameters, engineFor } = base
  const { factor } = campaign.compare
  const { level, label } = labelled
  const engine = engineFor(level)
  if (engine === undefined) return null
  const cell = { label, level, place, benchmark: benchmark.name, engine, parameters }
  const varied = { ...cell, mode: campaign.mode, dataset, command: benchmark.command }
  switch (factor) {
    case 'mode':
      return { ...varied, mode: level }
    case 'dataset':
      return { ...varied, dataset: campaign.datasets.find(({ name }) => name === level) ?? null }
    case 'engine':
    case 'flavor':
      return varied
    case 'command':
      return { ...varied, command: labelled.command ?? null }
    default:
      return { ...varied, parameters: { ...parameters, [factor]: level } }
  }
}

const blockKey = ({ benchmark, dataset, parameters, engineFor, campaign }: Base): string => {
  const engines = campaign.compare.levels.map(({ level }) => {
    const engine = engineFor(level)
    return engine === undefined ? null : [engineTitle(engine), engine.flavor]
  })
  const sorted = Object.entries(parameters).sort(([left], [right]) => (left < right ? -1 : 1))
  const { name, command, execution } = benchmark
  return JSON.stringify([name, command, execution, dataset?.name, sorted, engines])
}

/** Every base of a block in plan order; combinations that benchmarks share come once a benchmark. */
function* basesOf(campaign: Campaign, catalogue: Catalogue): Generator<Base> {
  const comparesDatasets = campaign.compare.factor === 'dataset'
  const datasets = comparesDatasets || campaign.datasets.length === 0 ? [null] : campaign.datasets
  const engines = engineChoices(campaign)
  for (const [pass, dataset] of datasets.entries()) {
    for (const benchmark of campaign.benchmarks) {
      const needs = usesDataset(benchmark, campaign.compare, catalogue)
      if (!needs && pass > 0) continue
      const used = needs ? dataset : null
      for (const parameters of combinations(benchmark.parameters)) {
        for (const engineFor of engines) {
          yield { campaign, benchmark, dataset: used, parameters, engineFor }
        }
      }
    }
  }
}

const declarationOf = (benchmark: BenchmarkSpec, catalogue: Catalogue): BenchmarkDeclaration => {
  const declaration = catalogue.benchmarks.find(({ name }) => name === benchmark.name)
  if (declaration === undefined) throw notInCatalogue('benchmark', benchmark.name)
  return declaration
}

/**
 * The blocks of a campaign in plan order, each combination once. Throws
 * `campaign-not-in-catalogue` for a benchmark that `catalogue` does not have.
 */
export function* blockVariants(campaign: Campaign, catalogue: Catalogue): Generator<BlockVariant> {
  const seen = new Set<string>()
  const { compare } = campaign
  const isExcluded = selectorOf(campaign.exclude, compare.factor)
  for (const base of basesOf(campaign, catalogue)) {
    const [first, ...rest] = compare.levels
      .map((labelled, place) => candidateOf(base, labelled, place))
      .filter((cell) => cell !== null)
      .filter((cell) => !isExcluded(cell))
    if (first === undefined) continue
    const key = blockKey(base)
    if (seen.has(key)) continue
    seen.add(key)
    const { benchmark } = base
    yield {
      benchmark,
      declaration: declarationOf(benchmark, catalogue),
      candidates: [first, ...rest],
    }
  }
}
