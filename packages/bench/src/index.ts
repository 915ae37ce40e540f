/** What can be run: benchmarks, engines and datasets, each a registry of one file an entry. */
export { catalogue } from './catalogue.ts'
export { copiesOf } from './cells/fresh-copies.ts'
export { type HookOccasion, hookVariables } from './cells/hook-variables.ts'
export { type OpenCell, openCell } from './cells/open-cell.ts'
export { extraHeadsOf, inputsOf, makeInputs, type SampleInputs } from './cells/sample-inputs.ts'
export { type CalibrationRequest, shareLoops } from './cells/share-loops.ts'
export * from './datasets/index.ts'
export { engineNamed } from './engine-named.ts'
export type {
  CommandPlaces,
  Engine,
  EngineCell,
  EngineRequest,
  EngineSite,
  MeasurableCell,
  Measurement,
  SampleRequest,
  Site,
} from './engines/engine.ts'
export { engines } from './engines/index.ts'
export { placeTexts } from './engines/place-texts.ts'
