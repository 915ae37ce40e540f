/** Use-case: how large is a plan, and about how long would it take? */
import type { Plan, PlanResponse } from '@assay/model'

/** What a sample is taken to cost when nothing is known: a short command with its start. */
const assumedSampleSeconds = 0.15

/** Counts cells, and the time of all samples of those that are supported, datasets apart. */
export const estimatePlan = ({
  blocks,
  sampling,
}: Plan): Pick<PlanResponse, 'counts' | 'estimate'> => {
  const cells = blocks.flatMap((block) => block.cells)
  const supported = cells.filter(({ unsupported }) => unsupported === null).length
  const secondsOf = (rounds: number): number =>
    supported * (sampling.warmups + rounds) * assumedSampleSeconds
  return {
    counts: {
      ...{ blocks: blocks.length, cells: cells.length, supported },
      unsupported: cells.length - supported,
    },
    estimate: {
      sampleSeconds: assumedSampleSeconds,
      leastSeconds: secondsOf(sampling.rounds.min),
      mostSeconds: secondsOf(sampling.rounds.max),
    },
  }
}
