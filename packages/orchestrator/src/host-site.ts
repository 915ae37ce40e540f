/** This host as a place that executes blocks: its fingerprint, clock, conditions and launcher. */
import { resolve } from 'node:path'
import type { Engine } from '@assay/bench'
import {
  bootSeconds,
  checkPinning,
  defaultHostLockPath,
  openLauncher,
  pinningText,
  pinThisProcess,
  readConditions,
  takeFingerprint,
} from '@assay/measure'
import { digestOf, type Fingerprint } from '@assay/model'
import type { WorkSite } from './execute-block.ts'
import { clearScratch, copiesRootFor } from './scratch.ts'

/** How long a block waits for the host lock before it is given back. */
const hostLockWaitSeconds = 3600

/** Lists of processors as the kernel writes them (`0,2-3`). */
export interface Pinning {
  readonly child: string | null
  readonly driver: string | null
}

export interface HostOptions {
  readonly engines: readonly Engine[]
  readonly scratchRoot: string
  /** Where datasets are prepared: its file system is part of the fingerprint. */
  readonly datasetsDirectory: string
  /** Where commands and hooks start, unless the plan says; where this process started by default. */
  readonly workingDirectory?: string
  /** The name under which this worker takes blocks. */
  readonly worker: string
  /** Processors of measured children and of this process, apart; null leaves them to the kernel. */
  readonly pinning?: Pinning
  /** The host-wide lock; the default is the same for every user of this host. */
  readonly hostLockPath?: string
}

/** Everything of a `WorkSite` that belongs to the host. */
export type HostSite = Pick<
  WorkSite,
  | 'taker'
  | 'engines'
  | 'openLauncher'
  | 'readConditions'
  | 'bootMillis'
  | 'workingDirectory'
  | 'cpus'
  | 'scratchRoot'
  | 'copiesRoot'
>

/**
 * The host's facts and the engines' builds: rounds of another build are never added to a take, just
 * as rounds of another host are not.
 */
const fingerprintWith = async (
  host: Fingerprint,
  engines: readonly Engine[],
): Promise<Fingerprint> => {
  const facts: Record<string, string> = { ...host.facts, 'node.version': process.version }
  for (const engine of engines) {
    const build = await engine.buildDigest()
    if (build !== null) facts[`engine.${engine.name}.build`] = build
  }
  return { digest: digestOf(facts), facts }
}

/** Reads what is stable about this host once, and clears what killed processes left. */
export const openHost = async (options: HostOptions): Promise<HostSite> => {
  const { engines, scratchRoot, datasetsDirectory, worker } = options
  const copiesRoot = await copiesRootFor(scratchRoot, datasetsDirectory)
  for (const root of new Set([scratchRoot, copiesRoot])) await clearScratch(root)
  const hostLockPath = options.hostLockPath ?? defaultHostLockPath()
  const pinned = options.pinning ?? { child: null, driver: null }
  checkPinning(pinned)
  if (pinned.driver !== null) pinThisProcess(pinned.driver)
  const pinning = pinningText(pinned)
  const host = takeFingerprint({ hostLockPath, filesystemOf: datasetsDirectory, pinning })
  return {
    taker: { worker, fingerprint: await fingerprintWith(host, engines) },
    engines,
    openLauncher: (signal) =>
      openLauncher({ hostLock: { path: hostLockPath, waitSeconds: hostLockWaitSeconds }, signal }),
    readConditions: () => readConditions(),
    bootMillis: () => bootSeconds() * 1000,
    cpus: pinned.child,
    workingDirectory: resolve(options.workingDirectory ?? '.'),
    scratchRoot,
    copiesRoot,
  }
}
