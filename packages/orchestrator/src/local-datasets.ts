/** Datasets prepared in a folder of this host; that they are untouched is checked each time. */
import { resolve } from 'node:path'
import { prepareDataset } from '@assay/bench'
import type { Listener } from './events.ts'
import type { DatasetProvider } from './prepare-cells.ts'

/** Provides datasets from `folder`, where they are generated when they are missing. */
export const localDatasets = (folder: string, onEvent: Listener): DatasetProvider => {
  // Children run in folders of their own, where a relative path would lead elsewhere.
  const cacheDirectory = resolve(folder)
  return async (spec, signal) => {
    const onProgress = (done: number, total: number): void =>
      onEvent({ type: 'dataset', name: spec.name, done, total })
    const { generate: preset, scale, format, seed } = spec
    const recipe = { preset, scale, format, seed }
    const { directory } = await prepareDataset({
      ...{ spec: recipe, cacheDirectory, onProgress, signal },
    })
    return directory
  }
}
