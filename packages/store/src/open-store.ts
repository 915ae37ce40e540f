/** The store's face: what can be asked of it, by what it is about, and how it is opened. */
import type {
  CellState,
  Evidence,
  FinishBlockRequest,
  Plan,
  PlannedRun,
  PutRoundRequest,
  Run,
  RunProgress,
  RunStatus,
  TakenBlock,
} from '@assay/model'
import { type Campaigns, campaignsOf } from './campaigns.ts'
import { connectReader, connectWriter, type Trace } from './connection.ts'
import { type Context, contextOf } from './context.ts'
import { createRun } from './create-run.ts'
import type { PageRequest } from './cursor.ts'
import { findRun, getRun, requireRunRow } from './find-run.ts'
import { finishBlock } from './finish-block.ts'
import { type Renewal, releaseTake, renewTake, requeueAll, requeueExpired } from './hold-block.ts'
import { type Jobs, jobsOf } from './jobs.ts'
import { listRuns, openRuns, type RunPage, runProgress } from './list-runs.ts'
import { type PutOutcome, putRound } from './put-round.ts'
import { evidenceOf } from './read-evidence.ts'
import { type SamplePage, samplesOfRun } from './read-rounds.ts'
import { cancelRun, setRunStatus } from './settle-run.ts'
import type { BlockRow, BlockState, QueuedBlock } from './tables/block.ts'
import { requireBlock, type TakeRequest, takeBlock } from './take-block.ts'

/** Runs: see `create-run.ts`, `find-run.ts`, `list-runs.ts`, `settle-run.ts`. */
export interface Runs {
  create(run: Run, plan: Plan): Run
  find(reference: string): Run
  get(id: string): PlannedRun
  list(page: PageRequest): RunPage
  progress(id: string): RunProgress
  openRuns(): readonly Run[]
  setStatus(id: string, status: RunStatus, reason: string | null): Run
  cancel(id: string): Run
}

/** Blocks and their takes: see `take-block.ts`, `hold-block.ts`, `finish-block.ts`. */
export interface Blocks {
  get(runId: string, blockId: string): BlockState
  listOf(runId: string): readonly BlockState[]
  /** Every block that waits to be measured, of all runs: what a queue must know. */
  queued(): readonly QueuedBlock[]
  take(request: TakeRequest): TakenBlock
  renew(request: { readonly token: string; readonly leaseMillis: number }): Renewal
  release(token: string): void
  finish(request: FinishBlockRequest): RunStatus
  requeueExpired(): number
  requeueAll(runId: string): readonly QueuedBlock[]
}

/** An open store. */
export interface Store {
  readonly campaigns: Campaigns
  readonly runs: Runs
  readonly blocks: Blocks
  readonly cells: { ofRun(runId: string): readonly CellState[] }
  /** See `put-round.ts`. */
  readonly rounds: { put(request: PutRoundRequest): PutOutcome }
  /** See `read-rounds.ts`, `read-evidence.ts`. */
  readonly samples: {
    ofRun(runId: string, page: PageRequest): SamplePage
    evidence(runId: string, metric: string): Evidence
  }
  readonly jobs: Jobs
  /** Milliseconds since 1970, by the clock that the store was opened with. */
  now(): number
  close(): void
}

const runsOf = (context: Context): Runs => ({
  create: (run, plan) => createRun(context, run, plan),
  find: (reference) => findRun(context, reference),
  get: (id) => getRun(context, id),
  list: (page) => listRuns(context, page),
  progress: (id) => runProgress(context, id),
  openRuns: () => openRuns(context),
  setStatus: (id, status, reason) => setRunStatus(context, id, { status, reason }),
  cancel: (id) => cancelRun(context, id),
})

const stateOf = (row: BlockRow): BlockState => {
  const { runId, blockId, position, status, stopReason, reason, attempts } = row
  return { runId, blockId, position, status, stopReason, reason, attempts }
}

const blocksOf = (context: Context): Blocks => ({
  get: (runId, blockId) => stateOf(requireBlock(context, runId, blockId)),
  listOf: (runId) =>
    context.read(() =>
      context.statements.block.ofRun.all(requireRunRow(context, runId).runKey).map(stateOf),
    ),
  queued: () => context.statements.block.queued.all(),
  take: (request) => takeBlock(context, request),
  renew: (request) => renewTake(context, request),
  release: (token) => releaseTake(context, token),
  finish: (request) => finishBlock(context, request),
  requeueExpired: () => requeueExpired(context),
  requeueAll: (runId) => requeueAll(context, runId),
})

/** How a store is opened. */
export interface StoreOptions {
  /** The database file; a writer makes it and its folder, and a `.lock` file beside it. */
  readonly path: string
  /** One writer at a time, any number of readers. */
  readonly access: 'write' | 'read'
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Sees every statement before it runs. */
  readonly trace?: Trace
}

/**
 * Opens the store. Errors: `store-busy` (another writer; names its pid), `store-missing` (readers),
 * `store-too-new`, `store-too-old` (readers), `store-corrupt`.
 */
export const openStore = (options: StoreOptions): Store => {
  const connect = options.access === 'write' ? connectWriter : connectReader
  const connection = connect(options.path, options.trace)
  const { database } = connection
  const context = contextOf({ database, path: options.path, now: options.now })
  return {
    campaigns: campaignsOf(context),
    runs: runsOf(context),
    blocks: blocksOf(context),
    cells: {
      ofRun: (runId) =>
        context.read(() =>
          context.statements.cell.statesOfRun.all({ runKey: requireRunRow(context, runId).runKey }),
        ),
    },
    rounds: { put: (request) => putRound(context, request) },
    samples: {
      ofRun: (runId, page) => samplesOfRun(context, runId, page),
      evidence: (runId, metric) => evidenceOf(context, runId, metric),
    },
    jobs: jobsOf(context),
    now: context.now,
    close: connection.close,
  }
}
