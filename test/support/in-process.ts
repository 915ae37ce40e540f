/** A whole single-process Assay in a temporary folder: store, courier, work, report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogue, engines } from '@assay/bench'
import type { Catalogue, PlannedRun, Report } from '@assay/model'
import {
  judgeRun,
  type ProgressEvent,
  startRun,
  storeSink,
  type WorkSite,
  work,
} from '@assay/orchestrator'
import { type Courier, defaultPool, openEmbeddedCourier } from '@assay/queue'
import { openStore, type Store } from '@assay/store'
import { aConditions, aFingerprint } from './builders.ts'

export interface InProcessOptions {
  readonly catalogue?: Catalogue
  readonly onEvent?: (event: ProgressEvent) => void
}

export interface InProcess {
  readonly directory: string
  readonly store: Store
  readonly courier: Courier
  readonly site: WorkSite
  /** Writes a file into the folder and gives its path. */
  write(name: string, text: string): string
  start(yaml: string): Promise<PlannedRun>
  /** Works until no block of the run is left, or `stop` aborts. */
  workOff(runId: string, stop?: AbortSignal): Promise<void>
  judge(runId: string): Report
  close(): Promise<void>
}

/** Opens one; `close` removes it. Nothing is measured: only engines that start no child will do. */
export const openInProcess = (options: InProcessOptions = {}): InProcess => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-test-'))
  let made = 0
  const next = (what: string): string => {
    made += 1
    return `${what}-${made}`
  }
  const store = openStore({ path: join(directory, 'assay.db'), access: 'write', now: Date.now })
  const courier = openEmbeddedCourier({ store })
  const site: WorkSite = {
    sink: storeSink(store, () => next('token')),
    taker: { worker: 'tests', fingerprint: aFingerprint() },
    engines,
    datasets: () => Promise.reject(new Error('no datasets in this test')),
    openLauncher: () => Promise.reject(new Error('no launcher in this test')),
    readConditions: aConditions,
    bootMillis: () => performance.now(),
    workingDirectory: directory,
    scratchRoot: directory,
    copiesRoot: directory,
    cpus: null,
    onEvent: options.onEvent ?? (() => undefined),
  }
  const open = (runId: string): boolean =>
    store.blocks.listOf(runId).some(({ status }) => status === 'queued' || status === 'taken')
  return {
    directory,
    store,
    courier,
    site,
    write(name, text) {
      const path = join(directory, name)
      writeFileSync(path, text)
      return path
    },
    start: (text) =>
      startRun(
        {
          campaign: { file: 'test.yaml', text },
          name: null,
          overrides: { seed: 'test', only: [], skip: [], quick: false },
        },
        {
          ...{ store, courier, now: Date.now, newId: () => next('run') },
          catalogue: options.catalogue ?? catalogue,
        },
      ),
    workOff: (runId, stop = new AbortController().signal) =>
      work(courier, site, {
        ...{ pool: defaultPool, stop, waitMillis: 50, goOn: () => open(runId) },
      }),
    judge: (runId) => judgeRun(runId, store),
    async close() {
      await courier.close()
      store.close()
      rmSync(directory, { recursive: true })
    },
  }
}
