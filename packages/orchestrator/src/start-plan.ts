/** A frozen plan becomes a run: stored whole, then queued block by block. */
import type { Labels, Plan, PlannedRun } from '@assay/model'
import type { Courier } from '@assay/queue'
import type { AskedOnce, NewGate, QueuedBlock } from '@assay/store'
import type { StartRunSite } from './start-run.ts'

/** What a run is found by, and when it is its turn. */
export interface RunFacts {
  /** A name to find the run by, or null. */
  readonly name: string | null
  readonly labels?: Labels
  /** The smaller number goes first; 0 if not said. */
  readonly priority?: number
  /** How a client will recognize the run if it asks again. */
  readonly asked?: AskedOnce
  /** Rules that the run will be held against. */
  readonly gate?: NewGate
  /** The run whose regressions this one measures again. */
  readonly confirms?: string
}

/** Stores the run with its blocks and cells, then queues what is to be measured. */
export const startPlan = async (
  plan: Plan,
  { name, labels = {}, priority = 0, ...facts }: RunFacts,
  site: StartRunSite,
): Promise<PlannedRun> => {
  const run = {
    id: site.newId(),
    name,
    campaign: plan.campaign,
    campaignDigest: plan.campaignDigest,
    seed: plan.seed,
    status: 'planned' as const,
    reason: null,
    createdAt: site.now(),
    finishedAt: null,
    labels,
    priority,
    invalid: null,
  }
  const { asked, gate, confirms } = facts
  site.store.runs.create({
    ...{ run, plan },
    ...(asked === undefined ? {} : { asked }),
    ...(gate === undefined ? {} : { gate }),
    ...(confirms === undefined ? {} : { confirms }),
  })
  const waiting = site.store.blocks.listOf(run.id).filter(({ status }) => status === 'queued')
  await enqueue(
    waiting.map((block) => ({ ...block, priority })),
    site.courier,
  )
  return site.store.runs.get(run.id)
}

/** Queues blocks that wait to be measured; adding one twice is harmless. */
export const enqueue = (blocks: readonly QueuedBlock[], courier: Courier): Promise<void> =>
  courier.add(
    blocks.map(({ runId, blockId, pool, priority }) => ({ runId, blockId, pool, priority })),
  )
