/** The texts of a cell's `${name}` places on this host. */
import { datasetPlace, type PlannedCell } from '@assay/model'

/** Levels of the parameters, the access mode, and the dataset's path where there is one. */
export const placeTexts = (
  { parameters, mode }: PlannedCell,
  datasetDirectory: string | null,
): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(parameters),
    ['mode', mode] as const,
    ...(datasetDirectory === null ? [] : [[datasetPlace, datasetDirectory] as const]),
  ])
