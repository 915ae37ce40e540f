/** Measuring children: launcher, environment, host lock, fingerprint and conditions. */
export { usableProcessors } from './affinity.ts'
export { comparePinnings, type PlaceNoise, quieterPinning } from './compare-pinnings.ts'

export { bootSeconds, readConditions } from './conditions.ts'
export { copyDataset, type DatasetCopy } from './copy-dataset.ts'
export { examineHost, judgeHost } from './doctor.ts'
export { type ChildEnvironmentOptions, childEnvironment } from './environment.ts'
export { type FileLock, takeFileLock, tryFileLock } from './file-lock.ts'
export type { Finding, Severity } from './finding.ts'
export { type FingerprintOptions, takeFingerprint } from './fingerprint.ts'
export {
  type GuardedEnd,
  type GuardedProgram,
  type GuardedRequest,
  startGuarded,
} from './guarded-program.ts'
export { type HostFacts, type HostFactsOptions, readHostFacts } from './host-facts.ts'
export { defaultHostLockPath } from './host-lock.ts'
export type { LaunchResult, MemoryUse } from './launch-result.ts'
export {
  type Launcher,
  type LauncherOptions,
  type LaunchRequest,
  openLauncher,
} from './launcher.ts'
export { defaultLauncherKind, type LauncherKind } from './launcher-process.ts'
export { type Noise, noiseOf } from './noise.ts'
export { dropPages, loadPages } from './page-cache.ts'
export { checkPinning, pinningText, pinThisProcess } from './pinning.ts'
export { onlineProcessors, parseCpuList, parseOnlineCpuList } from './processors.ts'
