/** From a launcher's account of a child to the words of samples. */
import type { Invocation, Outcome, Usage } from '@assay/model'
import type { EndedAnswer, SpawnFailedAnswer } from './protocol.ts'

/** How one child went. */
export interface LaunchResult {
  /**
   * `good`: an expected exit code. `failed`: another one, or it could not be started. `killed`: by a
   * signal or by `cancel()`.
   */
  readonly outcome: Outcome
  readonly exitCode: number | null
  /** Signal name such as SIGKILL, or null. */
  readonly signal: string | null
  /** All zeros for a child that could not be started. */
  readonly usage: Usage
  /** Descendants that outlived the child and had to be killed. */
  readonly stragglers: number
  /** A sentence on what went wrong; empty for a good outcome. */
  readonly explanation: string
}

const usageOf = (answer: EndedAnswer): Usage => ({
  wallSeconds: answer.wallNanoseconds / 1e9,
  userSeconds: answer.userMicroseconds / 1e6,
  systemSeconds: answer.systemMicroseconds / 1e6,
  peakRssBytes: answer.maxRssKibibytes === null ? null : answer.maxRssKibibytes * 1024,
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

const judge = (
  answer: EndedAnswer,
  invocation: Invocation,
): { readonly outcome: Outcome; readonly explanation: string } => {
  const [program] = invocation.argv
  switch (answer.status) {
    case 'timed-out':
      return {
        outcome: 'timed-out',
        explanation: `${program} was killed at its time limit, after ${(answer.wallNanoseconds / 1e9).toFixed(3)} s`,
      }
    case 'cancelled':
      return { outcome: 'killed', explanation: `${program} was cancelled` }
    case 'signaled':
      return { outcome: 'killed', explanation: `${program} was ended by ${answer.signalName}` }
    case 'exited':
      return answer.exitCode !== null && invocation.expectedExitCodes.includes(answer.exitCode)
        ? { outcome: 'good', explanation: '' }
        : {
            outcome: 'failed',
            explanation: `${program} exited with ${answer.exitCode}; expected ${invocation.expectedExitCodes.join(' or ')}`,
          }
  }
}

/** What a child that ran comes to. */
export const endedResult = (answer: EndedAnswer, invocation: Invocation): LaunchResult => ({
  ...judge(answer, invocation),
  exitCode: answer.exitCode,
  signal: answer.signalName,
  usage: usageOf(answer),
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
  stragglers: 0,
})
