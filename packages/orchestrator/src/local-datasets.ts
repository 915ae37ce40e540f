/** Datasets prepared in a folder of this host, each once in a process. */
import { resolve } from 'node:path'
import { prepareDataset } from '@assay/bench'
import type { DatasetSpec } from '@assay/model'
import { canonicalJson } from '@assay/model'
import type { Listener } from './events.ts'
import type { DatasetProvider } from './prepare-cells.ts'

/** How many revisions pass between two progress events. */
const reportEvery = 500

/** Provides datasets from `folder`, where they are generated when they are missing. */
export const localDatasets = (folder: string, onEvent: Listener): DatasetProvider => {
  // Children run in folders of their own, where a relative path would lead elsewhere.
  const cacheDirectory = resolve(folder)
  const prepared = new Map<string, Promise<string>>()
  const prepare = async (spec: DatasetSpec): Promise<string> => {
    const onProgress = (done: number, total: number): void => {
      if (done % reportEvery === 0 || done === total) {
        onEvent({ type: 'dataset', name: spec.name, done, total })
      }
    }
    const { generate: preset, scale, format, seed } = spec
    const recipe = { preset, scale, format, seed }
    const { directory } = await prepareDataset({ spec: recipe, cacheDirectory, onProgress })
    return directory
  }
  return (spec) => {
    const key = canonicalJson(spec)
    const promise = prepared.get(key) ?? prepare(spec)
    prepared.set(key, promise)
    return promise
  }
}
