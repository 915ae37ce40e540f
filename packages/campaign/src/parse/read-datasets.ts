/** Reads `datasets`, or takes a small default where benchmarks need one. */
import type { BenchmarkSpec, Catalogue, DatasetSpec } from '@assay/model'
import { unknownName } from '../did-you-mean.ts'
import { exclusiveFormats } from '../formats.ts'
import { usesDataset } from '../plan/uses-dataset.ts'
import { entryOf, type MapEntry, type TextNode, textOf, textsOf } from '../source/located-node.ts'
import { type LocatedCompare, plainCompare } from './read-compare.ts'
import type { Reading } from './reading.ts'

/** Some hundred changesets of a middling project: seconds to make, enough to see the way it works. */
const defaultScale = 0.02
/** What Mercurial itself writes by default since 6.0 (`hg help config.format`). */
const defaultFormat = ['zstd', 'sparse-revlog'] as const
/** One seed for all, so that datasets that differ in format hold the same history. */
const defaultSeed = 'assay'

const checkFormats = (formats: readonly TextNode[], { faults }: Reading): void => {
  const seen = new Set<string>()
  for (const { text, offset } of formats) {
    const group = exclusiveFormats.find(
      (names) => names.includes(text) && names.some((name) => name !== text && seen.has(name)),
    )
    if (seen.has(text)) {
      faults.add(offset, 'duplicate-format', `the format ${text} is there twice; remove one`)
    } else if (group !== undefined) {
      const message = `${text} does not go together with another of ${group.join(', ')}; keep one`
      faults.add(offset, 'conflicting-formats', message)
    }
    seen.add(text)
  }
}

const datasetOf = ({ key, value }: MapEntry, reading: Reading): DatasetSpec => {
  const formats = textsOf(entryOf(value, 'format')?.value)
  checkFormats(formats, reading)
  return {
    name: key,
    generate: textOf(entryOf(value, 'generate')?.value) ?? '',
    scale: Number(textOf(entryOf(value, 'scale')?.value) ?? defaultScale),
    format: formats.length > 0 ? formats.map(({ text }) => text) : [...defaultFormat],
    seed: textOf(entryOf(value, 'seed')?.value) ?? defaultSeed,
  }
}

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
  for (const { key, keyOffset } of section?.kind === 'map' ? section.entries : []) {
    if (compare.levels.some(({ level }) => level === key)) continue
    const message = `the dataset ${key} is not compared; add it to compare.dataset, or remove it`
    faults.add(keyOffset, 'not-compared', message)
  }
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
  const datasets = entries.map((entry) => datasetOf(entry, reading))
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
