/** From a launcher's account of a child to the words of samples. */
import { type Invocation, noUsage, type Outcome, type Usage } from '@assay/model'
import type { EndedAnswer, SpawnFailedAnswer } from './protocol.ts'

/**
 * Memory by who pays for it, which peak resident memory cannot tell: a private copy of a file and a
 * shared mapping of it are equally resident. For several children each number is a sum.
 */
export interface MemoryUse {
  /**
   * The most that was seen at one of the looks, every 5 ms, at memory of the children's own: not
   * backed by a file and shared with no one.
   */
  readonly peakAnonBytes: number | null
  /** The same of proportional memory: each page shared by N processes counts for 1/N in each. */
  readonly peakPssBytes: number | null
  /** Exact, at the exit: without what was given back before it. */
  readonly exitAnonBytes: number | null
  readonly exitPssBytes: number | null
}

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
  /** Null when it was not asked for; its numbers, where host or launcher (koffi) cannot tell them. */
  readonly memory: MemoryUse | null
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

const memoryOf = (answer: EndedAnswer): MemoryUse => ({
  peakAnonBytes: bytesOf(answer.peakAnonKibibytes),
  peakPssBytes: bytesOf(answer.peakPssKibibytes),
  exitAnonBytes: bytesOf(answer.exitAnonKibibytes),
  exitPssBytes: bytesOf(answer.exitPssKibibytes),
})

const bytesOf = (kibibytes: number | null): number | null =>
  kibibytes === null ? null : kibibytes * 1024

/** What children that ran come to. */
export const endedResult = (
  answer: EndedAnswer,
  { invocation, memory = false }: { readonly invocation: Invocation; readonly memory?: boolean },
): LaunchResult => ({
  ...judge(answer, invocation),
  exitCode: answer.exitCodes[Math.max(0, firstAstray(answer, invocation))] ?? null,
  signal: answer.signalName,
  usage: usageOf(answer),
  startedAtSeconds: answer.startedAtNanoseconds / 1e9,
  endedAtSeconds: answer.endedAtNanoseconds / 1e9,
  memory: memory ? memoryOf(answer) : null,
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
  memory: null,
  stragglers: 0,
})
