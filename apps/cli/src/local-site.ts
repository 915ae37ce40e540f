/** A single process that does it all: the store, the embedded courier, and measuring on this host. */
import { randomBytes, randomUUID } from 'node:crypto'
import { hostname, tmpdir } from 'node:os'
import { catalogue, engines } from '@assay/bench'
import { checkPinning } from '@assay/measure'
import { AssayError, type Run } from '@assay/model'
import {
  type Listener,
  localDatasets,
  openHost,
  type Pinning,
  type StartRunSite,
  storeSink,
  work,
} from '@assay/orchestrator'
import { openEmbeddedCourier } from '@assay/queue'
import { openStore, type Store } from '@assay/store'
import { datasetsDirectory, type Surroundings } from './config.ts'

/** An opened store with what starting and executing runs needs. */
export interface LocalSite extends StartRunSite {
  /** Executes the run's blocks until none is left or Ctrl-C comes. */
  execute(runId: string, onEvent: Listener): Promise<Run>
  close(): Promise<void>
}

/** Ten hexadecimal digits: short enough to type, and long enough never to meet twice. */
const newRunId = (): string => randomBytes(5).toString('hex')

/** Pools of the blocks that are still to be measured; this process serves all of them, in turn. */
const openPools = (store: Store, runId: string): readonly string[] => {
  const open = store.blocks
    .listOf(runId)
    .filter(({ status }) => status === 'queued' || status === 'taken')
  return [...new Set(open.map(({ pool }) => pool))]
}

/** Runs that were stopped wait for `resume` or a server, which queue their blocks again. */
const setOthersAside = async (runId: string, { store, courier }: StartRunSite): Promise<void> => {
  for (const { id } of store.runs.openRuns()) if (id !== runId) await courier.remove(id)
}

/** Somebody paused a pool over HTTP, and the store remembers: waiting for it would never end. */
const refusePaused = (store: Store, pool: string): void => {
  if (!store.pools.list().some((one) => one.pool === pool && one.paused)) return
  throw new AssayError({
    code: 'pool-paused',
    kind: 'conflict',
    message: `pool ${pool} is paused, nothing of it is measured: start \`assay serve\` and resume it (POST /api/v1/pools/${pool}/resume)`,
    details: { pool },
  })
}

/** Opens `path` for writing; throws `store-busy` if another process has it, and as `checkPinning`. */
export const openLocalSite = (
  path: string,
  { now, stop }: Surroundings,
  pinning: Pinning | undefined,
): LocalSite => {
  if (pinning !== undefined) checkPinning(pinning)
  const store = openStore({ path, access: 'write', now })
  const courier = openEmbeddedCourier({ store })
  const starting: StartRunSite = { store, courier, catalogue, now, newId: newRunId }
  const execute = async (runId: string, onEvent: Listener): Promise<Run> => {
    const datasets = datasetsDirectory(path)
    const host = await openHost({
      engines,
      scratchRoot: tmpdir(),
      datasetsDirectory: datasets,
      worker: `cli ${hostname()}`,
      ...(pinning === undefined ? {} : { pinning }),
    })
    const site = {
      ...host,
      sink: storeSink(store, randomUUID),
      datasets: localDatasets(datasets, onEvent),
      onEvent,
    }
    await setOthersAside(runId, starting)
    const pools = openPools(store, runId)
    for (const pool of pools) refusePaused(store, pool)
    for (const pool of pools) {
      const goOn = (): boolean => openPools(store, runId).includes(pool)
      await work(courier, site, { pool, stop, goOn, waitMillis: 1000 })
    }
    return store.runs.get(runId)
  }
  return {
    ...starting,
    execute,
    async close() {
      await courier.close()
      store.close()
    },
  }
}
