/** From a launcher's account of a child to the words of samples. */
import type { Invocation, Outcome, Usage } from '@assay/model'
import type { EndedAnswer, SpawnFailedAnswer } from './protocol.ts'

/** How one child went, or several that ran at once. */
export interface LaunchResult {
  /**
   * `good`: an expected exit code. `failed`: another one, or it could not be started. `killed`: by a
   * signal or by `cancel()`.
   */
  readonly outcome: Outcome
  /** Of several children: the first that is not expected, else that of the first child. */
  readonly exitCode: number | null
  /** Signal name such as SIGKILL, or null. Of several children: of the first that one ended. */
  readonly signal: string | null
  /** All zeros for a child that could not be started. */
  readonly usage: Usage
  /**
   * Seconds on the boot clock (`bootSeconds`) of the first start and the last end: two samples of a
   * host must not overlap. Null for a child that could not be started.
   */
  readonly startedAtSeconds: number | null
  readonly endedAtSeconds: number | null
  /**
   * Memory at exit that is the child's own: not backed by a file, shared with no one. A sum for
   * several. Null when it was not asked for, or the host or the launcher (koffi) cannot tell.
   */
  readonly anonBytes: number | null
  /** Proportional memory at exit: each page shared by N processes counts for 1/N. Else as above. */
  readonly pssBytes: number | null
  /** Descendants that outlived the child and had to be killed. */
  readonly stragglers: number
  /** A sentence on what went wrong; empty for a good outcome. */
  readonly explanation: string
}

const usageOf = (answer: EndedAnswer): Usage => ({
  wallSeconds: answer.wallNanoseconds / 1e9,
  userSeconds: answer.userMicroseconds / 1e6,
  systemSeconds: answer.systemMicroseconds / 1e6,
  peakRssBytes: bytesOf(answer.maxRssKibibytes),
  minorFaults: answer.minorFaults,
  majorFaults: answer.majorFaults,
  voluntarySwitches: answer.voluntarySwitches,
  involuntarySwitches: answer.involuntarySwitches,
  blocksIn: answer.blocksIn,
  blocksOut: answer.blocksOut,
})

const noUsage: Usage = {
  wallSeconds: 0,
  userSeconds: 0,
  systemSeconds: 0,
  peakRssBytes: null,
  minorFaults: 0,
  majorFaults: 0,
  voluntarySwitches: 0,
  involuntarySwitches: 0,
  blocksIn: 0,
  blocksOut: 0,
}

/** The place of the first child that did not exit as expected; -1 when all did. */
const firstAstray = (answer: EndedAnswer, { expectedExitCodes }: Invocation): number =>
  answer.exitCodes.findIndex((code) => code === null || !expectedExitCodes.includes(code))

const judge = (
  answer: EndedAnswer,
  invocation: Invocation,
): { readonly outcome: Outcome; readonly explanation: string } => {
  const [name] = invocation.argv
  const { length } = answer.exitCodes
  const program = length === 1 ? name : `${length} times ${name}`
  const astray = firstAstray(answer, invocation)
  const one = length === 1 ? name : `${name} (${astray + 1} of ${length})`
  switch (answer.status) {
    case 'timed-out':
      return {
        outcome: 'timed-out',
        explanation: `${program} was killed at its time limit, after ${(answer.wallNanoseconds / 1e9).toFixed(3)} s`,
      }
    case 'cancelled':
      return { outcome: 'killed', explanation: `${program} was cancelled` }
    case 'signaled':
      return { outcome: 'killed', explanation: `${name} was ended by ${answer.signalName}` }
    case 'exited':
      return astray < 0
        ? { outcome: 'good', explanation: '' }
        : {
            outcome: 'failed',
            explanation: `${one} exited with ${answer.exitCodes[astray]}; expected ${invocation.expectedExitCodes.join(' or ')}`,
          }
  }
}

const bytesOf = (kibibytes: number | null): number | null =>
  kibibytes === null ? null : kibibytes * 1024

/** What children that ran come to. */
export const endedResult = (answer: EndedAnswer, invocation: Invocation): LaunchResult => ({
  ...judge(answer, invocation),
  exitCode: answer.exitCodes[Math.max(0, firstAstray(answer, invocation))] ?? null,
  signal: answer.signalName,
  usage: usageOf(answer),
  startedAtSeconds: answer.startedAtNanoseconds / 1e9,
  endedAtSeconds: answer.endedAtNanoseconds / 1e9,
  anonBytes: bytesOf(answer.anonKibibytes),
  pssBytes: bytesOf(answer.pssKibibytes),
  stragglers: answer.stragglers,
})

/** What a child that could not be started comes to. */
export const spawnFailedResult = (
  answer: SpawnFailedAnswer,
  invocation: Invocation,
): LaunchResult => ({
  outcome: 'failed',
  explanation: `cannot start ${invocation.argv[0]} in ${invocation.workingDirectory} (${answer.step}): ${answer.message}`,
  exitCode: null,
  signal: null,
  usage: noUsage,
  startedAtSeconds: null,
  endedAtSeconds: null,
  anonBytes: null,
  pssBytes: null,
  stragglers: 0,
})
