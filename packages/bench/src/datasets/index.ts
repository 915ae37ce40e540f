/** The face of dataset preparation. */
export {
  datasetFolderName,
  type PrepareDatasetOptions,
  type PreparedDataset,
  prepareDataset,
} from './cache.ts'
export { datasetDigest, datasetStamp } from './digest.ts'
export { formats, parseDatasetFormat } from './formats.ts'
export {
  type DatasetRecipe,
  GENERATOR_VERSION,
  type GenerateDatasetOptions,
  type GeneratedDataset,
  type GenerationWatch,
  generateDataset,
} from './generate.ts'
export { presets } from './presets.ts'
export type { DatasetPreset, DatasetShape } from './shape.ts'
