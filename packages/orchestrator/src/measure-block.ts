/** All rounds of one block: warmups, then rounds until the stop rule says so, each saved at once. */
import type { MeasurableCell } from '@assay/bench'
import type { Conditions, Round, StopReason, TakenBlock } from '@assay/model'
import { emptinessReason, failureReason } from './failing-cells.ts'
import { measureRound } from './measure-round.ts'
import { stopReasonAfter } from './stop-rule.ts'

/** What measuring a block needs. */
export interface MeasureSite {
  readonly readConditions: () => Conditions
  /** Throws when measuring is to stop: asked before each sample. */
  readonly checkStopped: () => void
  /** Throws when no further round is to begin. */
  readonly checkDraining: () => void
  readonly saveRound: (round: Round) => Promise<void>
  readonly onFailed: (cellId: string, reason: string) => void
}

/** Cells that can be measured, and the reasons why others cannot. */
export interface ReadyCells {
  readonly ready: ReadonlyMap<string, MeasurableCell>
  readonly failed: ReadonlyMap<string, string>
}

/** How a block's rounds ended. */
export interface MeasuredBlock {
  readonly stopReason: StopReason
  /** Reasons of the cells that failed, those that could not be prepared included. */
  readonly failed: ReadonlyMap<string, string>
}

/** Measures what is left of a taken block. */
export const measureBlock = async (
  taken: TakenBlock,
  cells: ReadyCells,
  site: MeasureSite,
): Promise<MeasuredBlock> => {
  const { block, sampling, seed } = taken
  const supported = block.cells.filter(({ unsupported }) => unsupported === null)
  const cellIds = supported.map(({ id }) => id)
  const active = new Map<string, MeasurableCell>(cells.ready)
  const failed = new Map(cells.failed)
  const rounds: Round[] = [...taken.rounds]

  const giveUp = (reasonFor: (cellId: string) => string | null): void => {
    for (const cellId of active.keys()) {
      const reason = reasonFor(cellId)
      if (reason === null) continue
      active.delete(cellId)
      failed.set(cellId, reason)
      site.onFailed(cellId, reason)
    }
  }
  const giveUpFailing = (considered: readonly Round[]): void =>
    giveUp((cellId) => failureReason(cellId, considered))
  const measure = async (number: number, warmup: boolean): Promise<Round> => {
    const { readConditions, checkStopped } = site
    site.checkDraining()
    const round = await measureRound({
      ...{ seed, blockId: block.id, number, warmup, cellIds, active, sampling },
      ...{ readConditions, checkStopped },
    })
    await site.saveRound(round)
    return round
  }

  giveUpFailing(rounds)
  const stopped = (): StopReason | null =>
    active.size === 0
      ? 'failed'
      : stopReasonAfter(
          rounds,
          cellIds.map((cellId) => ({ cellId, isActive: active.has(cellId) })),
          taken,
        )
  // A block that had all its rounds before its process ended needs no further warmup.
  if (stopped() === null) {
    for (let warmup = 1; warmup <= sampling.warmups; warmup += 1) {
      giveUpFailing([await measure(taken.take.savedWarmups + warmup, true)])
    }
  }
  for (;;) {
    const stopReason = stopped()
    if (stopReason !== null) {
      giveUp((cellId) => emptinessReason(cellId, rounds))
      return { stopReason, failed }
    }
    rounds.push(await measure(rounds.length + 1, false))
    giveUpFailing(rounds)
  }
}
