/** Which benchmarks read a dataset: those that are declared to, and commands that have its place. */
import {
  type BenchmarkSpec,
  type Catalogue,
  type Compare,
  datasetPlace,
  hookNames,
  placesIn,
} from '@assay/model'

/** Every argument that may have places: of the commands, and of the hooks. */
export const argumentsOf = (
  { command, execution }: Pick<BenchmarkSpec, 'command' | 'execution'>,
  { levels }: Pick<Compare, 'levels'>,
): readonly string[] => [
  ...(command ?? levels.flatMap((level) => level.command ?? [])),
  ...hookNames.flatMap((name) => execution?.hooks[name] ?? []),
]

/** Whether cells of this benchmark have a dataset. */
export const usesDataset = (
  benchmark: BenchmarkSpec,
  compare: Pick<Compare, 'levels'>,
  { benchmarks }: Catalogue,
): boolean => {
  const declaration = benchmarks.find(({ name }) => name === benchmark.name)
  if (declaration === undefined) return false
  return (
    declaration.needsDataset ||
    (declaration.takesCommand === true &&
      argumentsOf(benchmark, compare).flatMap(placesIn).includes(datasetPlace))
  )
}
