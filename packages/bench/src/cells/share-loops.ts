/**
 * One number of inner repeats for all cells of a block. What a child does only once, its start above
 * all, is divided by it: cells with numbers of their own would differ though they do the same.
 */
import type { SampleRequest } from '../engines/engine.ts'
import type { OpenCell } from './open-cell.ts'

/** What is asked for while repeats are found out: no round, and no look at memory, which takes time. */
export type CalibrationRequest = Pick<SampleRequest, 'timeoutSeconds' | 'cache'>

/**
 * Finds out the repeats by the first of the cells, the baseline, and gives them to all; by the next,
 * where a sample of the first fails. Nothing is done for cells whose repeats are known. The samples it
 * takes are not kept. Where every cell fails, samples are of one repeat, and will say what is wrong.
 */
export const shareLoops = async (
  cells: readonly OpenCell[],
  request: CalibrationRequest,
): Promise<void> => {
  const unknown = cells.filter((cell) => cell.needsLoops())
  for (const cell of unknown) {
    const calibration = { ...request, round: 0, warmup: false, stackPaddingBytes: 0 }
    const loops = await cell.findLoops(calibration)
    if (loops === null) continue
    for (const one of unknown) one.useLoops(loops)
    return
  }
}
