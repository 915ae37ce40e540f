/**
 * Use-case: execute one block from taking to finishing. The flow of measuring can be read here:
 * take, prepare, measure under the host lock, save after every round, finish.
 */
import { type Engine, shareLoops } from '@assay/bench'
import type { Launcher } from '@assay/measure'
import { type CellEnd, type Conditions, digestOf, type Round, type TakenBlock } from '@assay/model'
import { interrupted, isOfBlock } from './errors.ts'
import type { Listener } from './events.ts'
import { type KeptLease, keepLease } from './keep-lease.ts'
import { type MeasuredBlock, measureBlock } from './measure-block.ts'
import {
  closeCells,
  type DatasetProvider,
  type PreparedCells,
  prepareCells,
  reasonOf,
  setUpCells,
} from './prepare-cells.ts'
import { openScratch, type ScratchRoots } from './scratch.ts'
import type { BlockReference, Sink, Taker } from './sink.ts'

/** A host that executes blocks: everything that is not the block. */
export interface WorkSite extends ScratchRoots {
  readonly sink: Sink
  readonly taker: Taker
  readonly engines: readonly Engine[]
  readonly datasets: DatasetProvider
  /** Opens a launcher; waits for the host lock until the signal aborts. */
  readonly openLauncher: (signal: AbortSignal) => Promise<Launcher>
  readonly readConditions: () => Conditions
  /** Milliseconds of a clock that a change of the wall clock does not move. */
  readonly bootMillis: () => number
  /** Where commands and hooks start, for a plan that names no folder. */
  readonly workingDirectory: string
  /** Processors that children are kept to, as the kernel lists them (`0,2-3`); null: all. */
  readonly cpus: string | null
  readonly onEvent: Listener
  /** Ends a block after the round in flight; absent: only `stop` does. */
  readonly drain?: AbortSignal
  /** Whether the block was tried often enough: what stops it then fails its cells instead of giving it back. */
  readonly isLastTry?: () => boolean
}

/** How long the host lock may take before a person is told that another has it. */
const quietWaitMillis = 1_000

/** Until when a launcher may be waited for, and what stops the child that runs. */
interface Stops {
  readonly preparing: AbortSignal
  readonly measuring: AbortSignal
}

/** A launcher that is opened when first asked for, and can be stopped at any moment. */
const lazyLauncher = (
  open: WorkSite['openLauncher'],
  { preparing, measuring: signal }: Stops,
  onWaiting: () => void,
) => {
  const openTelling = async (): Promise<Launcher> => {
    const timer = setTimeout(onWaiting, quietWaitMillis)
    try {
      return await open(preparing)
    } finally {
      clearTimeout(timer)
    }
  }
  let opened: Promise<Launcher> | null = null
  const stop = (): void => void opened?.then((launcher) => launcher.cancel()).catch(() => undefined)
  signal.addEventListener('abort', stop)
  return {
    get: (): Promise<Launcher> => {
      opened ??= openTelling()
      return opened
    },
    async close(): Promise<void> {
      signal.removeEventListener('abort', stop)
      // An opening that failed was reported where it was awaited.
      const launcher = await opened?.catch(() => null)
      await launcher?.close()
    },
  }
}

/** How a block was measured, and why cleaning up after cells of it failed, if it did. */
interface ClosedBlock extends MeasuredBlock {
  readonly cleanupFaults: ReadonlyMap<string, string>
}

const cellEnds = (taken: TakenBlock, { failed, cleanupFaults }: ClosedBlock): CellEnd[] =>
  taken.block.cells.map(({ id, unsupported }) => {
    if (unsupported !== null) return { cellId: id, status: 'unsupported', reason: unsupported }
    const fault = cleanupFaults.get(id)
    const cleanup = fault === undefined ? {} : { cleanupFault: fault }
    const reason = failed.get(id)
    if (reason !== undefined) return { cellId: id, status: 'failed', reason, ...cleanup }
    return { cellId: id, status: 'measured', reason: null, ...cleanup }
  })

/** The end of a block that was tried often enough: all that is supported failed, for one reason. */
const failedEnds = ({ block }: TakenBlock, reason: string): CellEnd[] =>
  block.cells
    .filter(({ unsupported }) => unsupported === null)
    .map(({ id }) => ({ cellId: id, status: 'failed', reason }))

/** What ends the measuring of a block: for good, or with the lease. */
interface Ends {
  readonly stop: AbortSignal
  readonly lease: KeptLease
}

const measureTaken = async (
  taken: TakenBlock,
  site: WorkSite,
  { stop, lease }: Ends,
): Promise<ClosedBlock> => {
  const signal = AbortSignal.any([stop, lease.signal])
  // Nothing that is prepared is lost: a worker that drains does not wait for it.
  const { drain = stop } = site
  const preparing = AbortSignal.any([signal, drain])
  const { runId, blockId, token } = taken.take
  const reference = { runId, blockId }
  const onWaiting = (): void => site.onEvent({ type: 'host-waiting', ...reference })
  const stops = { preparing, measuring: signal }
  const launcher = lazyLauncher(site.openLauncher, stops, onWaiting)
  const scratch = await openScratch(site)
  const onFailed = (cellId: string, reason: string): void =>
    site.onEvent({ type: 'cell-failed', runId, cellId, reason })
  const saveRound = async (round: Round): Promise<void> => {
    await site.sink.putRound(reference, { token, digest: digestOf(round), round })
    const { number, warmup } = round
    const mostRounds = taken.sampling.rounds.max
    site.onEvent({ type: 'round-saved', ...reference, round: number, warmup, mostRounds })
  }
  const cleanupFaults = new Map<string, string>()
  const onCleanupFailed = (cellId: string, reason: string): void => {
    cleanupFaults.set(cellId, reason)
    site.onEvent({ type: 'cleanup-failed', runId, cellId, reason })
  }
  let prepared: PreparedCells['ready'] = new Map()
  // Still under the host lock: what runs here would disturb another's measuring.
  const close = async (): Promise<ReadonlyMap<string, string>> => {
    const spoilt = await closeCells(prepared, { onCleanupFailed })
    for (const [cellId, reason] of spoilt) onFailed(cellId, reason)
    return spoilt
  }
  try {
    const { engines, datasets, readConditions, workingDirectory, cpus } = site
    const { rounds, sampling } = taken
    const { timeoutSeconds } = sampling
    const cells = await prepareCells(taken.block, {
      ...{ engines, datasets, scratch, launcher: launcher.get, signal, preparing },
      ...{ workingDirectory, timeoutSeconds, rounds, cpus },
    })
    prepared = cells.ready
    const ready = await setUpCells(cells, { signal, onCleanupFailed })
    for (const [cellId, reason] of ready.failed) onFailed(cellId, reason)
    await shareLoops([...ready.ready.values()], { timeoutSeconds, cache: sampling.cache })
    const checkStopped = (): void => {
      lease.check()
      signal.throwIfAborted()
    }
    const checkDraining = (): void => drain.throwIfAborted()
    const measureSite = { readConditions, checkStopped, checkDraining, saveRound, onFailed }
    const measured = await measureBlock(taken, ready, measureSite)
    const failed = new Map([...measured.failed, ...(await close())])
    return { ...measured, failed, cleanupFaults }
  } finally {
    await close()
    await launcher.close()
    await scratch.remove()
  }
}

/**
 * Executes `block`. Rejects with `interrupted` when `stop` aborts, or after a round once `site.drain`
 * has (finished rounds are saved and the block is given back), with `lease-lost` or `take-stale` when another holds the block.
 */
export const executeBlock = async (
  block: BlockReference,
  site: WorkSite,
  stop: AbortSignal,
): Promise<void> => {
  const taken = await site.sink.take(block, site.taker)
  const { token } = taken.take
  site.onEvent({ type: 'block-taken', ...block, savedRounds: taken.rounds.length })
  const { bootMillis, drain = stop } = site
  const lease = keepLease(site.sink, { token, leaseMillis: taken.leaseMillis, bootMillis })
  try {
    const measured = await measureTaken(taken, site, { stop, lease })
    const { stopReason } = measured
    await site.sink.finish(block, { token, stopReason, cells: cellEnds(taken, measured) })
    site.onEvent({ type: 'block-finished', ...block, stopReason })
  } catch (error) {
    const isStopped = stop.aborted || drain.aborted
    const cause = lease.signal.aborted ? lease.signal.reason : isStopped ? interrupted() : error
    site.onEvent({ type: 'block-given-up', ...block, reason: reasonOf(cause) })
    if (lease.signal.aborted) throw cause
    if (site.isLastTry?.() === true && isOfBlock(cause)) {
      const cells = failedEnds(taken, reasonOf(cause))
      await site.sink.finish(block, { token, stopReason: 'failed', cells })
      return
    }
    // What stopped the block is what must be told; one that stays taken comes free with its lease.
    const fault = isOfBlock(cause) ? { reason: reasonOf(cause) } : {}
    await site.sink.release(block, { token, ...fault }).catch(() => undefined)
    throw cause
  } finally {
    lease.stop()
  }
}
