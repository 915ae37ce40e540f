/** A round is saved: once, whole, and only by whoever holds the block. */
import type { PutRoundRequest, Round, Sample } from '@assay/model'
import type { Context } from './context.ts'
import { roundConflict, roundForeignCell, roundMalformed } from './errors.ts'
import { record } from './events.ts'
import { requireLive } from './held-take.ts'
import type { HeldRow } from './tables/take.ts'

/** Whether the round was saved now, or was there already. */
export type PutOutcome = 'created' | 'same'

/** The keys of the round's cells, by id, after checking that the round is one of this block. */
const cellKeysOf = (context: Context, blockKey: number): ReadonlyMap<string, number> =>
  new Map(context.statements.cell.ofBlock.all(blockKey).map((row) => [row.cellId, row.cellKey]))

const requireWellFormed = (blockId: string, round: Round): void => {
  const distinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length
  if (!distinct(round.samples.map((sample) => sample.cellId))) {
    throw roundMalformed(blockId, 'measures a cell twice')
  }
  if (!distinct(round.samples.map((sample) => sample.position))) {
    throw roundMalformed(blockId, 'has two samples at one position')
  }
}

const nameKeyOf = ({ statements }: Context, name: string): number => {
  const { metricNameKey, insertMetricName } = statements.sample
  const known = metricNameKey.get(name)
  if (known) return known.nameKey
  insertMetricName.run(name)
  return metricNameKey.one(name).nameKey
}

const insertSample = (
  context: Context,
  sample: Sample,
  keys: { readonly roundKey: number; readonly cellKey: number },
): void => {
  const { cellId: _, usage, metrics, ...facts } = sample
  const { insert, insertMetric } = context.statements.sample
  insert.run({ ...facts, ...usage, ...keys })
  for (const [name, value] of Object.entries(metrics)) {
    insertMetric.run(keys.roundKey, sample.position, nameKeyOf(context, name), value)
  }
}

const startRun = (context: Context, { runKey, runStatus }: HeldRow): void => {
  if (runStatus !== 'planned') return
  context.statements.run.start.run(runKey)
  record(context, runKey, { type: 'run', status: 'running', reason: null })
}

const insertRound = (context: Context, held: HeldRow, request: PutRoundRequest): void => {
  const { round, digest } = request
  const { statements } = context
  const cellKeys = cellKeysOf(context, held.blockKey)
  const { roundKey } = statements.round.insert.one({
    takeKey: held.takeKey,
    warmup: round.warmup ? 1 : 0,
    number: round.number,
    digest,
    conditions: JSON.stringify(round.conditions),
    savedAt: context.now(),
  })
  for (const sample of round.samples) {
    const cellKey = cellKeys.get(sample.cellId)
    if (cellKey === undefined) throw roundForeignCell(held.blockId, sample.cellId)
    insertSample(context, sample, { roundKey, cellKey })
  }
  statements.take.addSaved.run({
    takeKey: held.takeKey,
    rounds: round.warmup ? 0 : 1,
    warmups: round.warmup ? 1 : 0,
    samples: round.warmup ? 0 : round.samples.length,
  })
  startRun(context, held)
  statements.cell.start.run(held.blockKey)
  record(context, held.runKey, {
    ...{ type: 'round', blockId: held.blockId, take: held.number },
    ...{ round: round.number, warmup: round.warmup, samples: round.samples.length },
    bad: round.samples.filter(({ outcome }) => outcome !== 'good').length,
  })
}

/**
 * Saves a round with its samples and metrics, all or nothing; the first of a block sets the run and
 * the block's cells running. The same digest again is `same` and changes nothing.
 * Errors: `take-stale`, `round-conflict`, `round-foreign-cell`, `round-malformed`.
 */
export const putRound = (context: Context, request: PutRoundRequest): PutOutcome =>
  context.write(() => {
    const held = requireLive(context, request.token)
    const { number, warmup } = request.round
    const saved = context.statements.round.digest.get(held.takeKey, warmup ? 1 : 0, number)
    if (saved?.digest === request.digest) return 'same'
    if (saved) {
      const { blockId } = held
      const digests = { savedDigest: saved.digest, digest: request.digest }
      throw roundConflict({ blockId, number, warmup, ...digests })
    }
    requireWellFormed(held.blockId, request.round)
    insertRound(context, held, request)
    return 'created'
  })
