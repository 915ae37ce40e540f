/** The face of dataset preparation. */
export { type PrepareDatasetOptions, type PreparedDataset, prepareDataset } from './cache.ts'
export { datasetDigest } from './digest.ts'
export { formats } from './formats.ts'
export {
  type DatasetRecipe,
  type GenerateDatasetOptions,
  type GeneratedDataset,
  type GenerationWatch,
  generateDataset,
} from './generate.ts'
export { presets } from './presets.ts'
export type { DatasetPreset, DatasetShape } from './shape.ts'
