/** Which cells of a block failed: three failed samples, a failed warmup, or not one good sample. */
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
  if (lastLine === '') return ending
  // The launcher's own words say how it ended, too, and what was expected.
  const told = lastLine.indexOf(` ${ending}`) + 1
  const isTold = told > 0 && ['', ';'].includes(lastLine.charAt(told + ending.length))
  return isTold ? lastLine.slice(told) : `${ending}: ${lastLine}`
}

/** Why a cell has nothing to be judged by after all its rounds, or null if it has a good sample. */
export const emptinessReason = (cellId: string, rounds: readonly Round[]): string | null => {
  const samples = rounds.flatMap((round) =>
    round.samples.filter((sample) => sample.cellId === cellId && !round.warmup),
  )
  const last = samples.at(-1)
  if (last === undefined || samples.some(({ outcome }) => outcome === 'good')) return null
  return `no sample was good; the last ${describe(last)}`
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
