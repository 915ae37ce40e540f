/** How many inner repeats a sample takes, where a campaign leaves it to be found out. */
import type { Measurement } from '../engines/engine.ts'

/** Shorter samples are mostly the start of a process: a hundred times its usual millisecond. */
const shortestSampleSeconds = 0.1

/** Doublings end here: a command that is still too short does not repeat itself. */
const mostLoops = 2 ** 30

/**
 * Doubles the repeats until a sample takes long enough, and gives that sample; or the first that is
 * not good.
 */
export const calibrate = async (
  measure: (loops: number) => Promise<Measurement>,
): Promise<Measurement> => {
  for (let loops = 1; ; loops *= 2) {
    const measured = await measure(loops)
    const isLong = measured.usage.wallSeconds * loops >= shortestSampleSeconds
    if (measured.outcome !== 'good' || isLong || loops >= mostLoops) return measured
  }
}
