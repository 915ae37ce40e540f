/** When do a block's rounds end? At fixed looks, by precision; never by significance. */
import type { EvidenceCell, Round, Sampling, StopReason } from '@assay/model'
import { isPrecise, nextLook } from '@assay/stats'

/** Seconds of wall-clock time that the samples of these rounds took, inner repeats included. */
const measuredSeconds = (rounds: readonly Round[]): number =>
  rounds.reduce(
    (total, { samples }) =>
      total + samples.reduce((sum, { usage, loops }) => sum + usage.wallSeconds * loops, 0),
    0,
  )

/** A cell's samples of these rounds, as statistics want them. */
const evidenceOf = (cellId: string, rounds: readonly Round[]): EvidenceCell => ({
  cellId,
  status: 'running',
  reason: null,
  samples: rounds.flatMap(({ number, samples }) =>
    samples
      .filter((sample) => sample.cellId === cellId)
      .map(({ position, outcome, usage }) => ({
        round: number,
        position,
        outcome,
        value: usage.wallSeconds,
      })),
  ),
})

/**
 * Why to stop after these rounds, or null to go on. A function of saved rounds alone, so that a
 * resumed block stops where an undisturbed one does. `activeCellIds` are in the plan's order.
 */
export const stopReasonAfter = (
  rounds: readonly Round[],
  activeCellIds: readonly string[],
  sampling: Sampling,
): StopReason | null => {
  const { min, max } = sampling.rounds
  const count = rounds.length
  if (count >= max) return 'rounds'
  if (sampling.budgetSeconds !== null && measuredSeconds(rounds) >= sampling.budgetSeconds) {
    return 'budget'
  }
  const isLook = count > 0 && nextLook(count - 1) === count
  if (count < min || !isLook) return null
  const cells = activeCellIds.map((cellId) => evidenceOf(cellId, rounds))
  return isPrecise(cells, sampling.precision) ? 'precise' : null
}
