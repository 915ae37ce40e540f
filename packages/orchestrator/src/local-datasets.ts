/** Datasets prepared in a folder of this host; that they are untouched is checked each time. */
import { resolve } from 'node:path'
import { type PrepareDatasetOptions, prepareDataset } from '@assay/bench'
import type { DatasetSpec } from '@assay/model'
import type { Listener } from './events.ts'
import type { DatasetProvider } from './prepare-cells.ts'

/** What is to be prepared, by its name or whatever names it. */
export const recipeOf = (spec: DatasetSpec): PrepareDatasetOptions['spec'] => {
  if ('source' in spec) return spec
  const { generate: preset, scale, format, seed } = spec
  return { preset, scale, format, seed }
}

/** Provides datasets from `folder`, where they are prepared when they are missing. */
export const localDatasets = (folder: string, onEvent: Listener): DatasetProvider => {
  // Children run in folders of their own, where a relative path would lead elsewhere.
  const cacheDirectory = resolve(folder)
  return async (spec, signal) => {
    const onProgress = (done: number, total: number): void =>
      onEvent({ type: 'dataset', name: spec.name, done, total })
    const { directory } = await prepareDataset({
      ...{ spec: recipeOf(spec), cacheDirectory, onProgress, signal },
    })
    return directory
  }
}
