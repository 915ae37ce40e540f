/** When do a block's rounds end? At fixed looks, by precision; never by significance. */
import {
  type EvidenceCell,
  metricValue,
  type Round,
  type StopReason,
  type TakenBlock,
} from '@assay/model'
import { isPrecise, nextLook } from '@assay/stats'

/** A supported cell of the block, and whether it is still measured. */
export interface StoppableCell {
  readonly cellId: string
  readonly isActive: boolean
}

/** Seconds of wall-clock time that the samples of these rounds took, inner repeats included. */
const measuredSeconds = (rounds: readonly Round[]): number =>
  rounds.reduce(
    (total, { samples }) =>
      total + samples.reduce((sum, { usage, loops }) => sum + usage.wallSeconds * loops, 0),
    0,
  )

/** A cell's samples of these rounds, as statistics want them. */
const evidenceOf = (
  cell: StoppableCell,
  rounds: readonly Round[],
  metric: string,
): EvidenceCell => ({
  cellId: cell.cellId,
  status: cell.isActive ? 'running' : 'failed',
  reason: null,
  samples: rounds.flatMap(({ number, samples }) =>
    samples
      .filter((sample) => sample.cellId === cell.cellId)
      .map((sample) => ({
        round: number,
        position: sample.position,
        outcome: sample.outcome,
        loops: sample.loops,
        value: metricValue(sample, metric),
      })),
  ),
})

/**
 * Why to stop after these rounds, or null to go on. A function of saved rounds alone, so that a
 * resumed block stops where an undisturbed one does. `cells` are in the plan's order, so that the
 * first is the baseline even if it failed. Precision is that of the run's primary metric.
 */
export const stopReasonAfter = (
  rounds: readonly Round[],
  cells: readonly StoppableCell[],
  { sampling, metric }: Pick<TakenBlock, 'sampling' | 'metric'>,
): StopReason | null => {
  const { min, max } = sampling.rounds
  const count = rounds.length
  if (count >= max) return 'rounds'
  if (sampling.budgetSeconds !== null && measuredSeconds(rounds) >= sampling.budgetSeconds) {
    return 'budget'
  }
  const isLook = count > 0 && nextLook(count - 1) === count
  if (count < min || !isLook) return null
  const evidence = cells.map((cell) => evidenceOf(cell, rounds, metric))
  return isPrecise(evidence, sampling.precision) ? 'precise' : null
}
