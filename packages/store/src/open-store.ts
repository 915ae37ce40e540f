/** The store's face: what can be asked of it, by what it is about, and how it is opened. */
import type {
  BlockResponse,
  CellResponse,
  CellState,
  Evidence,
  FinishBlockRequest,
  PlannedRun,
  PutRoundRequest,
  RoundConditions,
  Run,
  RunProgress,
  RunStatus,
  TakenBlock,
  TakeState,
} from '@assay/model'
import { type Audit, auditOf } from './audit.ts'
import { type Campaigns, campaignsOf } from './campaigns.ts'
import { connectReader, connectWriter, type Trace } from './connection.ts'
import { type Context, contextOf } from './context.ts'
import { createRun, findAsked, type NewRun } from './create-run.ts'
import type { PageRequest } from './cursor.ts'
import { cellNotFound } from './errors.ts'
import { type Events, eventsOf } from './events.ts'
import { findRun, getRun, requireRunRow } from './find-run.ts'
import { finishBlock } from './finish-block.ts'
import { type Gates, gatesOf } from './gates.ts'
import { openGroupCommit } from './group-commit.ts'
import { requireOfBlock } from './held-take.ts'
import { type Renewal, releaseTake, renewTake, requeueAll, requeueExpired } from './hold-block.ts'
import { type Jobs, jobsOf } from './jobs.ts'
import { listRuns, openRuns, type RunFilter, type RunPage, runProgress } from './list-runs.ts'
import { markRun } from './mark-run.ts'
import { type PutOutcome, putRound } from './put-round.ts'
import { blockOfRun, blocksOfRun, plannedCellOf, takesOfBlock } from './read-blocks.ts'
import { evidenceOf } from './read-evidence.ts'
import { conditionsOfRun, type SampleFilter, type SamplePage, samplesOfRun } from './read-rounds.ts'
import { type Reviews, reviewsOf } from './reviews.ts'
import { cancelRun, setRunStatus } from './settle-run.ts'
import type { BlockRow, BlockState, QueuedBlock } from './tables/block.ts'
import { requireBlock, type TakeRequest, takeBlock } from './take-block.ts'
import { type Tokens, tokensOf } from './tokens.ts'
import { type Pools, poolsOf, type Workers, workersOf } from './workers.ts'

/** Runs: see `create-run.ts`, `find-run.ts`, `list-runs.ts`, `settle-run.ts`. */
export interface Runs {
  create(run: NewRun): Run
  /** See `findAsked`. */
  asked(key: string): { readonly runId: string; readonly requestDigest: string } | null
  find(reference: string): Run
  get(id: string): PlannedRun
  list(page: PageRequest & RunFilter): RunPage
  progress(id: string): RunProgress
  openRuns(): readonly Run[]
  setStatus(id: string, status: RunStatus, reason: string | null): Run
  cancel(id: string): Run
  /** See `mark-run.ts`. */
  mark(id: string, invalidReason: string | null): Run
}

/** Blocks and their takes: see `take-block.ts`, `hold-block.ts`, `finish-block.ts`. */
export interface Blocks {
  get(runId: string, blockId: string): BlockState
  listOf(runId: string): readonly BlockState[]
  /** Every block that waits to be measured, of all runs: what a queue must know. */
  queued(): readonly QueuedBlock[]
  take(request: TakeRequest): TakenBlock
  /** Whether a token stands for a block, or `take-foreign`, `take-stale`. */
  checkToken(token: string, block: { readonly runId: string; readonly blockId: string }): void
  renew(request: { readonly token: string; readonly leaseMillis: number }): Renewal
  release(request: { readonly token: string; readonly reason?: string }): void
  /** See `read-blocks.ts`. */
  show(runId: string, blockId: string): BlockResponse
  showOf(runId: string): readonly BlockResponse[]
  takes(runId: string, blockId: string): readonly TakeState[]
  finish(request: FinishBlockRequest): RunStatus
  requeueExpired(): number
  requeueAll(runId: string): readonly QueuedBlock[]
}

/** An open store. */
export interface Store {
  readonly campaigns: Campaigns
  readonly runs: Runs
  readonly blocks: Blocks
  readonly cells: {
    ofRun(runId: string): readonly CellState[]
    get(runId: string, cellId: string): CellResponse
  }
  /** See `put-round.ts`, `group-commit.ts`, `read-rounds.ts`. */
  readonly rounds: {
    put(request: PutRoundRequest): PutOutcome
    /** As `put`, sharing its commit with others: resolves once the round is durable. */
    putGrouped(request: PutRoundRequest): Promise<PutOutcome>
    conditionsOf(runId: string): readonly RoundConditions[]
  }
  /** See `read-rounds.ts`, `read-evidence.ts`. */
  readonly samples: {
    ofRun(runId: string, page: PageRequest & SampleFilter): SamplePage
    evidence(runId: string, metric: string): Evidence
  }
  readonly jobs: Jobs
  readonly workers: Workers
  readonly pools: Pools
  readonly events: Events
  readonly tokens: Tokens
  readonly audit: Audit
  readonly reviews: Reviews
  readonly gates: Gates
  /** Rejects if nothing can be written, with what SQLite or the system says. */
  checkWritable(): void
  /** Milliseconds since 1970, by the clock that the store was opened with. */
  now(): number
  close(): void
}

const runsOf = (context: Context): Runs => ({
  create: (run) => createRun(context, run),
  asked: (key) => findAsked(context, key),
  find: (reference) => findRun(context, reference),
  get: (id) => getRun(context, id),
  list: (page) => listRuns(context, page),
  progress: (id) => runProgress(context, id),
  openRuns: () => openRuns(context),
  setStatus: (id, status, reason) => setRunStatus(context, id, { status, reason }),
  cancel: (id) => cancelRun(context, id),
  mark: (id, invalidReason) => markRun(context, id, invalidReason),
})

const stateOf = (row: BlockRow): BlockState => {
  const { runId, blockId, position, status, stopReason, reason, attempts, pool } = row
  return { runId, blockId, position, status, stopReason, reason, attempts, pool }
}

const blocksOf = (context: Context): Blocks => ({
  get: (runId, blockId) => stateOf(requireBlock(context, runId, blockId)),
  listOf: (runId) =>
    context.read(() =>
      context.statements.block.ofRun.all(requireRunRow(context, runId).runKey).map(stateOf),
    ),
  queued: () => context.statements.block.queued.all(),
  take: (request) => takeBlock(context, request),
  checkToken: (token, block) => requireOfBlock(context, token, block),
  renew: (request) => renewTake(context, request),
  release: (request) => releaseTake(context, request),
  show: (runId, blockId) => blockOfRun(context, runId, blockId),
  showOf: (runId) => blocksOfRun(context, runId),
  takes: (runId, blockId) => takesOfBlock(context, runId, blockId),
  finish: (request) => finishBlock(context, request),
  requeueExpired: () => requeueExpired(context),
  requeueAll: (runId) => requeueAll(context, runId),
})

const cellStates = (context: Context, runId: string): readonly CellState[] =>
  context.read(() =>
    context.statements.cell.statesOfRun.all({ runKey: requireRunRow(context, runId).runKey }),
  )

const showCell = (context: Context, runId: string, cellId: string): CellResponse => {
  const state = cellStates(context, runId).find((cell) => cell.cellId === cellId)
  if (!state) throw cellNotFound(runId, cellId)
  return { ...state, ...plannedCellOf(context, runId, cellId) }
}

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
  const group = openGroupCommit(context)
  return {
    campaigns: campaignsOf(context),
    runs: runsOf(context),
    blocks: blocksOf(context),
    cells: {
      ofRun: (runId) => cellStates(context, runId),
      get: (runId, cellId) => showCell(context, runId, cellId),
    },
    rounds: {
      put: (request) => putRound(context, request),
      putGrouped: (request) => group.write(() => putRound(context, request)),
      conditionsOf: (runId) => conditionsOfRun(context, runId),
    },
    samples: {
      ofRun: (runId, page) => samplesOfRun(context, runId, page),
      evidence: (runId, metric) => evidenceOf(context, runId, metric),
    },
    jobs: jobsOf(context),
    workers: workersOf(context),
    pools: poolsOf(context),
    events: eventsOf(context),
    tokens: tokensOf(context),
    audit: auditOf(context),
    reviews: reviewsOf(context),
    gates: gatesOf(context),
    checkWritable: () => context.write(() => undefined),
    now: context.now,
    close: () => {
      group.flush()
      connection.close()
    },
  }
}
