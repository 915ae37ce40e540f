/** Selections of `exclude`: which variants they mean. */
import type { Campaign, Catalogue, DatasetSpec, EngineSpec, Selection } from '@assay/model'
import { isEngine } from '../engine-title.ts'
import { usesDataset } from './uses-dataset.ts'

/** What a selection can ask of one cell. */
export interface SelectableCell {
  readonly label: string
  readonly level: string
  readonly benchmark: string
  readonly engine: EngineSpec
  readonly mode: string
  readonly dataset: DatasetSpec | null
  readonly parameters: Readonly<Record<string, string>>
}

const isLevel = (
  factor: string,
  candidate: { readonly label: string; readonly level: string },
  text: string,
): boolean =>
  text === candidate.label ||
  text === candidate.level ||
  // An engine may be named without the version that its level carries.
  (factor === 'engine' && candidate.level.startsWith(`${text} `))

type Test = (cell: SelectableCell) => boolean

const testOf = (key: string, text: string, comparedFactor: string): Test => {
  if (key === comparedFactor) return (cell) => isLevel(comparedFactor, cell, text)
  if (key === 'benchmark') return (cell) => cell.benchmark === text
  if (key === 'engine') return (cell) => isEngine(cell.engine, text)
  if (key === 'flavor') return (cell) => cell.engine.flavor === text
  if (key === 'mode') return (cell) => cell.mode === text
  if (key === 'dataset') return (cell) => cell.dataset?.name === text
  return ({ parameters }) => Object.hasOwn(parameters, key) && parameters[key] === text
}

/** These keys have few levels: asked last, they are asked rarely. */
const broadKeys = ['benchmark', 'engine', 'flavor', 'mode', 'dataset']

/**
 * Whether a cell is meant by any of the selections: every key that one names has that level, or that
 * label. Prepared once, since it is asked of every cell.
 */
export const selectorOf = (selections: readonly Selection[], comparedFactor: string): Test => {
  const isBroad = (key: string): boolean => key === comparedFactor || broadKeys.includes(key)
  const prepared = selections.map((selection) =>
    Object.entries(selection)
      .sort(([left], [right]) => Number(isBroad(left)) - Number(isBroad(right)))
      .map(([key, text]) => testOf(key, text, comparedFactor)),
  )
  return (cell) => prepared.some((tests) => tests.every((test) => test(cell)))
}

/** Texts that a selection may give for `key` in this campaign. */
export const selectableTexts = (campaign: Campaign, key: string): readonly string[] => {
  const { compare, benchmarks, datasets, engines, mode } = campaign
  const texts: string[] = []
  if (key === compare.factor) {
    texts.push(...compare.levels.flatMap(({ label, level }) => [label, level]))
    if (key !== 'engine') return [...new Set(texts)]
  }
  if (key === 'benchmark') texts.push(...benchmarks.map(({ name }) => name))
  else if (key === 'dataset') texts.push(...datasets.map(({ name }) => name))
  else if (key === 'mode') texts.push(mode)
  else if (key === 'flavor') texts.push(...engines.map(({ flavor }) => flavor))
  else if (key === 'engine') {
    texts.push(
      ...engines.flatMap(({ name, version }) =>
        version === undefined ? [name] : [name, `${name} ${version}`],
      ),
    )
  } else {
    texts.push(
      ...benchmarks.flatMap(({ parameters }) =>
        Object.hasOwn(parameters, key) ? (parameters[key] ?? []) : [],
      ),
    )
  }
  return [...new Set(texts)]
}

/** Keys that a selection may name in this campaign. */
export const selectableKeys = (campaign: Campaign): readonly string[] => [
  ...new Set([
    'mode',
    'benchmark',
    'dataset',
    'engine',
    'flavor',
    campaign.compare.factor,
    ...campaign.benchmarks.flatMap(({ parameters }) => Object.keys(parameters)),
  ]),
]

/**
 * Whether a selection whose single texts are all known means any cell of the campaign. The factors
 * of one benchmark vary independently, so nothing has to be expanded.
 */
export const meansSomething = (
  selection: Selection,
  campaign: Campaign,
  catalogue: Catalogue,
): boolean => {
  const { compare, engines } = campaign
  const { engine: title, flavor } = selection
  const engineFits = engines.some(
    (engine) =>
      (title === undefined || compare.factor === 'engine' || isEngine(engine, title)) &&
      (flavor === undefined || compare.factor === 'flavor' || engine.flavor === flavor),
  )
  if (!engineFits) return false
  const free = new Set(['mode', 'engine', 'flavor', compare.factor])
  return campaign.benchmarks.some((benchmark) =>
    Object.entries(selection).every(([key, text]) => {
      const { name, parameters } = benchmark
      if (free.has(key)) return true
      if (key === 'benchmark') return name === text
      if (key === 'dataset') return usesDataset(benchmark, compare, catalogue)
      return Object.hasOwn(parameters, key) && parameters[key]?.includes(text) === true
    }),
  )
}
