/** Which cells of a block are given up: three failed samples, or a failed warmup. */
import type { Round, Sample } from '@assay/model'

/** How many failed samples a cell may not reach. */
const mostFailures = 3

const endingOf = ({ outcome, signal, exitCode }: Sample): string => {
  if (outcome === 'timed-out') return 'timed out'
  if (signal !== null) return `was ended by ${signal}`
  return exitCode === null ? 'was not started' : `exited with ${exitCode}`
}

const describe = (sample: Sample): string => {
  const ending = endingOf(sample)
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
