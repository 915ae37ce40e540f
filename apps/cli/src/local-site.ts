/** A single process that does it all: the store, the embedded courier, and measuring on this host. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { catalogue, engines } from '@assay/bench'
import type { Run } from '@assay/model'
import {
  type Listener,
  localDatasets,
  openHost,
  type StartRunSite,
  storeSink,
  work,
} from '@assay/orchestrator'
import { defaultPool, openEmbeddedCourier } from '@assay/queue'
import { openStore, type Store } from '@assay/store'
import { datasetsDirectory, type Surroundings } from './config.ts'

/** An opened store with what starting and executing runs needs. */
export interface LocalSite extends StartRunSite {
  /** Executes the run's blocks until none is left or Ctrl-C comes. */
  execute(runId: string, onEvent: Listener): Promise<Run>
  close(): Promise<void>
}

/** Ten characters that sort by nothing and are easy to tell apart. */
const newRunId = (): string => randomBytes(5).toString('hex')

const openBlocks = (store: Store, runId: string): number =>
  store.blocks.listOf(runId).filter(({ status }) => status === 'queued' || status === 'taken')
    .length

/** Opens `path` for writing; rejects with `store-busy` if another process has it. */
export const openLocalSite = async (
  path: string,
  surroundings: Surroundings,
): Promise<LocalSite> => {
  const { now, stop } = surroundings
  const store = openStore({ path, access: 'write', now })
  const courier = openEmbeddedCourier({ store })
  const execute = async (runId: string, onEvent: Listener): Promise<Run> => {
    const host = await openHost({ engines, scratchRoot: tmpdir(), worker: `cli ${hostname()}` })
    const site = {
      ...host,
      sink: storeSink(store, randomUUID),
      datasets: localDatasets(datasetsDirectory(path), onEvent),
      onEvent,
    }
    const goOn = (): boolean => openBlocks(store, runId) > 0
    await work(courier, site, { pool: defaultPool, stop, goOn, waitMillis: 1000 })
    return store.runs.get(runId)
  }
  await mkdir(datasetsDirectory(path), { recursive: true })
  return {
    store,
    courier,
    catalogue,
    now,
    newId: newRunId,
    execute,
    async close() {
      await courier.close()
      store.close()
    },
  }
}
