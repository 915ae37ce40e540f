/** The use-cases of Assay, one file each: the whole flow can be read in this folder. */
export { type AskedServer, askServer } from './ask-server.ts'
export { cancelRun } from './cancel-run.ts'
export { compareStoredRuns, type RunComparison } from './compare-stored-runs.ts'
export { type ConfirmationRequest, confirmRun } from './confirm-run.ts'
export { continueGates, stateOfGate } from './continue-gates.ts'
export { continueRun } from './continue-run.ts'
export * from './errors.ts'
export { estimatePlan } from './estimate-plan.ts'
export type { Listener, ProgressEvent } from './events.ts'
export type { WorkSite } from './execute-block.ts'
export { confirmedGate, type GatedRun, gateRun } from './gate-run.ts'
export { type HostOptions, type HostSite, openHost, type Pinning } from './host-site.ts'
export { importHyperfine } from './import-hyperfine.ts'
export type { ImportedRounds, ImportedRun } from './import-plan.ts'
export { importPyperf } from './import-pyperf.ts'
export type {
  ImportedBlock,
  ImportedCell,
  ImportedResult,
  ImportedSample,
  ImportFile,
} from './import-result.ts'
export {
  type Importer,
  type ImportRequest,
  type ImportSite,
  importers,
  importRemarks,
  importRun,
  judgeImport,
  readImport,
} from './import-run.ts'
export { importText } from './import-text.ts'
export { judgeMetric, judgeMetrics, judgeRun } from './judge-run.ts'
export { listComparisons } from './list-comparisons.ts'
export { localDatasets, recipeOf } from './local-datasets.ts'
export { makeToken, type TokenSite } from './make-token.ts'
export { type MeasuredBlock, type MeasureSite, measureBlock } from './measure-block.ts'
export { type KeyValue, type PlanOverrides, planCampaign } from './plan-campaign.ts'
export { planRemarks } from './plan-remarks.ts'
export type { DatasetProvider } from './prepare-cells.ts'
export { type PrintedRun, type Printing, printRun, readDetails } from './print-run.ts'
export { reconcile } from './reconcile.ts'
export { type CellReference, type ReproductionSite, reproduceCell } from './reproduce-cell.ts'
export { type RerunRequest, rerunRun } from './rerun-run.ts'
export { resumeRun } from './resume-run.ts'
export { reviewRun } from './review-run.ts'
export { httpCourier, httpSink } from './server-client.ts'
export {
  openServerLink,
  type ServerAddress,
  type ServerLink,
  type ServerRequest,
} from './server-link.ts'
export type { BlockReference, Sink, Taker } from './sink.ts'
export type { RunFacts } from './start-plan.ts'
export { type StartRunRequest, type StartRunSite, startRun } from './start-run.ts'
export { drainPool, pausePool, resumePool } from './steer-pool.ts'
export { defaultLeaseMillis, storeSink } from './store-sink.ts'
export { type CampaignText, validateCampaign } from './validate-campaign.ts'
export { type WorkOptions, work } from './work.ts'
