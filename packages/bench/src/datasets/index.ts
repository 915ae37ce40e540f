/** The face of dataset preparation. */
export { type PrepareDatasetOptions, prepareDataset } from './cache.ts'
export { datasetDigest } from './digest.ts'
export { formats } from './formats.ts'
export {
  type DatasetRecipe,
  type GenerateDatasetOptions,
  type GeneratedDataset,
  type GenerationWatch,
  generateDataset,
} from './generate.ts'
export {
  findDataset,
  listDatasets,
  removeDataset,
  type ShelvedDataset,
  type SoundDataset,
  sourceStateOf,
  verifyDataset,
} from './inventory.ts'
export { locatedDataset, locationLabel } from './locations.ts'
export { presets } from './presets.ts'
export type { DatasetRecord } from './record.ts'
export type { DatasetPreset, DatasetShape } from './shape.ts'
export type { PreparedDataset } from './shelf.ts'
export { sources } from './sources.ts'
