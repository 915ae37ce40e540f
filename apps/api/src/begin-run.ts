/** Starts what a request asks for: a run of a campaign, at most once under an Idempotency-Key. */
import { randomBytes } from 'node:crypto'
import type { PlannedRun, StartRunRequest } from '@assay/model'
import { type RunFacts, startRun } from '@assay/orchestrator'
import type { FastifyRequest } from 'fastify'
import { type askedOf, startedBefore } from './asked-once.ts'
import { campaignOf } from './campaign-shelf.ts'
import { overridesOf } from './overrides.ts'
import { refuseCommands } from './refuse-commands.ts'
import type { ApiSite } from './site.ts'

/** What is told of a run that was started. */
export const summaryOf = ({ id, plan }: Pick<PlannedRun, 'id' | 'plan'>) => ({
  id,
  blocks: plan.blocks.length,
  cells: plan.blocks.reduce((sum, block) => sum + block.cells.length, 0),
})

/** What a request says of the run itself. */
export const factsOf = ({
  name,
  labels,
  priority,
}: {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly priority?: number
}): RunFacts => ({
  name: name ?? null,
  ...(labels === undefined ? {} : { labels }),
  ...(priority === undefined ? {} : { priority }),
})

/** A new seed: eight hexadecimal digits. */
export const newSeed = (): string => randomBytes(4).toString('hex')

/** Who asks, how the request is recognized, and what the run is held against. */
export interface Asking extends Pick<RunFacts, 'gate'> {
  readonly asked: ReturnType<typeof askedOf>
  readonly request: FastifyRequest
}

/** The run, and whether it was not there before. */
export const beginRun = async (
  body: StartRunRequest,
  { asked, request, gate }: Asking,
  site: ApiSite,
): Promise<{ readonly run: PlannedRun; readonly isNew: boolean }> => {
  const { store } = site
  const earlier = startedBefore(asked, store)
  if (earlier !== null) return { run: store.runs.get(earlier), isNew: false }
  const campaign = await campaignOf(body, site)
  await refuseCommands(campaign, request, site)
  // From here to the stored run nothing is awaited: the same request cannot come in between.
  const before = startedBefore(asked, store)
  if (before !== null) return { run: store.runs.get(before), isNew: false }
  const facts = {
    ...factsOf(body),
    ...(asked === undefined ? {} : { asked }),
    ...(gate === undefined ? {} : { gate }),
  }
  const overrides = overridesOf(body, newSeed())
  return { run: await startRun({ campaign, overrides, ...facts }, site), isNew: true }
}
