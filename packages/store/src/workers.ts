/** Who can measure, and what waits for whom: the workers that were seen, and the pools. */
import { fingerprintSchema, type PoolState, type WorkerState } from '@assay/model'
import type { Context } from './context.ts'
import { parseColumn } from './json-column.ts'
import type { WorkerRow } from './tables/worker.ts'

/** One and a half of the longest waits for a block, which is a minute. */
const aliveMillis = 90_000

/** A worker that was not seen for a month is forgotten when another comes. */
const keptMillis = 30 * 86_400_000

/** What a worker says of itself. */
export type NewWorker = Pick<WorkerState, 'name' | 'pool' | 'version' | 'fingerprint'>

/** The store's workers. */
export interface Workers {
  /** A worker of that name that is there already is replaced. */
  register(worker: NewWorker): void
  /** It is alive; one that never registered is nobody. */
  seen(name: string): void
  /** By name. */
  list(): readonly WorkerState[]
}

/** The store's pools: each that has a worker, an open block, or is paused. */
export interface Pools {
  list(): readonly PoolState[]
}

const stateFrom = (
  { fingerprint, ...row }: WorkerRow,
  block: WorkerState['block'],
  now: number,
): WorkerState => ({
  ...row,
  fingerprint: parseColumn(fingerprintSchema, fingerprint, 'fingerprint'),
  alive: now - row.lastSeenAt < aliveMillis || (block !== null && block.leaseUntil > now),
  block,
})

const listWorkers = ({ read, statements, now }: Context): readonly WorkerState[] =>
  read(() => {
    const measured = new Map(
      statements.worker.measured.all().map(({ worker, ...block }) => [worker, block]),
    )
    const at = now()
    return statements.worker.all
      .all()
      .map((row) => stateFrom(row, measured.get(row.name) ?? null, at))
  })

/** The workers of an open store. */
export const workersOf = (context: Context): Workers => {
  const { worker } = context.statements
  return {
    register: ({ fingerprint, ...facts }) =>
      context.write(() => {
        const at = context.now()
        worker.forget.run(at - keptMillis)
        worker.register.run({
          ...facts,
          fingerprint: JSON.stringify(fingerprint),
          registeredAt: at,
          lastSeenAt: at,
        })
      }),
    seen: (name) => context.write(() => worker.seen.run(context.now(), name)),
    list: () => listWorkers(context),
  }
}

/** The pools of an open store. */
export const poolsOf = (context: Context): Pools => ({
  list: () =>
    context.read(() => {
      const { worker } = context.statements
      const open = worker.openBlocks.all()
      const paused = worker.pausedPools.all().map(({ pool }) => pool)
      const workers = listWorkers(context)
      const named = [...open, ...workers].map(({ pool }) => pool)
      const count = (pool: string, status: string): number =>
        open.find((row) => row.pool === pool && row.status === status)?.count ?? 0
      return [...new Set([...named, ...paused])].sort().map((pool) => ({
        pool,
        waiting: count(pool, 'queued'),
        measuring: count(pool, 'taken'),
        paused: paused.includes(pool),
        workers: workers.filter((one) => one.pool === pool && one.alive).length,
      }))
    }),
})
