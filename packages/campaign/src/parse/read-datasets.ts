/** Reads `datasets`, or takes a small default where benchmarks need one. */
import type { BenchmarkSpec, Catalogue, DatasetSpec } from '@assay/model'
import { unknownName } from '../did-you-mean.ts'
import { usesDataset } from '../plan/uses-dataset.ts'
import { entryOf } from '../source/located-node.ts'
import { type LocatedCompare, plainCompare } from './read-compare.ts'
import {
  datasetNamesOf,
  datasetsOf,
  defaultFormat,
  defaultScale,
  defaultSeed,
} from './read-dataset.ts'
import type { Reading } from './reading.ts'

const checkCompared = (
  compare: LocatedCompare,
  datasets: readonly DatasetSpec[],
  { root, faults }: Reading,
): void => {
  const names = datasets.map(({ name }) => name)
  for (const { level, offset } of compare.levels.filter((one) => !names.includes(one.level))) {
    faults.add(offset, 'unknown-name', unknownName('dataset of this campaign', level, names))
  }
  const section = entryOf(root, 'datasets')?.value
  for (const entry of section?.kind === 'map' ? section.entries : []) {
    const { key, keyOffset } = entry
    const own = datasetNamesOf(entry)
    if (compare.levels.some(({ level }) => own.includes(level))) continue
    const message = `the dataset ${key} is not compared; add it to compare.dataset, or remove it`
    faults.add(keyOffset, 'not-compared', message)
  }
}

/** Names that `formats` makes may be those of others. */
const checkNames = (
  datasets: readonly DatasetSpec[],
  offset: number,
  { faults }: Reading,
): void => {
  const names = datasets.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return
  faults.add(offset, 'duplicate-dataset', `two datasets are called ${twice}; rename one`)
}

const defaultDataset = (catalogue: Catalogue): readonly DatasetSpec[] =>
  catalogue.presets.slice(0, 1).map(({ name }) => ({
    name: [name, ...defaultFormat].join('-'),
    generate: name,
    scale: defaultScale,
    format: [...defaultFormat],
    seed: defaultSeed,
  }))

/** The datasets in written order; faults are reported. */
export const readDatasets = (
  compare: LocatedCompare | null,
  benchmarks: readonly BenchmarkSpec[],
  reading: Reading,
): readonly DatasetSpec[] => {
  const { catalogue, root, faults } = reading
  const levels = compare === null ? [] : plainCompare(compare).levels
  const needed = benchmarks.filter((one) => usesDataset(one, { levels }, catalogue))
  const section = entryOf(root, 'datasets')
  const entries = section?.value.kind === 'map' ? section.value.entries : []
  const datasets = entries.flatMap((entry) => datasetsOf(entry, reading))
  checkNames(datasets, section?.keyOffset ?? 0, reading)
  if (compare?.factor === 'dataset') checkCompared(compare, datasets, reading)
  const [first] = needed
  if (datasets.length > 0 || first === undefined) return datasets
  const mayChoose = needed.every(({ command }) => command === null) && compare?.factor !== 'command'
  const fallback = section === undefined && mayChoose ? defaultDataset(catalogue) : []
  if (fallback.length === 0) {
    const message = `${first.name} needs a dataset; name one, such as datasets: { small: { generate: PRESET } }`
    faults.add(section?.keyOffset ?? 0, 'dataset-missing', message)
  }
  return fallback
}
