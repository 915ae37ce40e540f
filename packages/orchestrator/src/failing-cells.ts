/** Which cells of a block are given up: three failed samples, or a failed warmup. */
import type { Round, Sample } from '@assay/model'

/** How many failed samples a cell may not reach. */
const mostFailures = 3

const describe = (sample: Sample): string => {
  const ending =
    sample.outcome === 'timed-out'
      ? 'timed out'
      : sample.signal !== null
        ? `was ended by ${sample.signal}`
        : `exited with ${sample.exitCode}`
  const lastLine = sample.stderr.trimEnd().split('\n').at(-1) ?? ''
  return lastLine === '' ? ending : `${ending}: ${lastLine}`
}

/** The reason why `cellId` is given up after `rounds`, or null while it goes on. */
export const failureReason = (cellId: string, rounds: readonly Round[]): string | null => {
  let failures = 0
  for (const round of rounds) {
    for (const sample of round.samples) {
      if (sample.cellId !== cellId || sample.outcome === 'good') continue
      if (round.warmup) return `the warmup ${describe(sample)}`
      failures += 1
      if (failures === mostFailures)
        return `${mostFailures} samples failed; the last ${describe(sample)}`
    }
  }
  return null
}
