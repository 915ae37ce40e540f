/** Serves `run`: starts, times and accounts for children, as native/run.c but without memory. */
import { closeSync } from 'node:fs'
import { constants as osConstants } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import {
  answer,
  lastValue,
  parseRequest,
  type Request,
  type RequestLines,
  refuse,
} from './conversation.ts'
import { killDescendants } from './descendants.ts'
import { pidfdOpen, poll, type Reaped, reap, sinceBootNanoseconds } from './libc.ts'
import {
  attempt,
  type Order,
  orderOf,
  type Prepared,
  prepare,
  SpawnFailure,
} from './prepare-run.ts'

/** What the main loop knows and a run must watch. */
export interface Surroundings {
  readonly lines: RequestLines
  /** Whether a signal has asked the launcher to end. */
  readonly stopping: () => boolean
}

/**
 * The longest sleep. A signal that another thread takes, or that comes just before the system call,
 * does not interrupt it: its handler runs only afterwards.
 */
const sleepNanoseconds = 4_000_000_000

type Ending = 'exited' | 'timed-out' | 'cancelled' | 'stopped'

/** Reads what arrived during a run: whether it cancels the run, or the input ended. */
const interruption = (id: number, lines: RequestLines): Ending | null => {
  let ending: Ending | null = lines.fill() ? null : 'stopped'
  for (let line = lines.take(); line !== null; line = lines.take()) {
    const request = parseRequest(line)
    if (request === null) refuse('cannot be understood')
    else if (request.verb !== 'cancel') refuse('a run is under way')
    else if (Number(lastValue(request, 'id')) === id) ending ??= 'cancelled'
  }
  return ending
}

const elapsedSince = (started: bigint): number => Number(process.hrtime.bigint() - started)

/** A child under way, until its descriptor says that it has ended. */
interface Child {
  readonly pid: number
  readonly pidfd: number
}

/** Sleeps until all children have ended, or until there is a reason to end them. */
const awaitChildren = async (
  children: readonly Child[],
  order: Order,
  { started, lines, stopping }: Surroundings & { readonly started: bigint },
): Promise<Ending> => {
  let running = children
  for (;;) {
    const limit = order.timeoutNanoseconds
    const left = limit === null ? sleepNanoseconds : Math.max(0, limit - elapsedSince(started))
    const watched = [0, ...running.map(({ pidfd }) => pidfd)]
    const { readable, interrupted } = poll(watched, Math.min(left, sleepNanoseconds))
    if (interrupted || !readable.includes(true)) {
      await turn() // lets the signal's handler run
      if (stopping()) return 'stopped'
      if (limit !== null && elapsedSince(started) >= limit) return 'timed-out'
      continue
    }
    running = running.filter((_, at) => readable[at + 1] !== true)
    if (running.length === 0) return 'exited'
    if (readable[0] === true) {
      const ending = interruption(order.id, lines)
      if (ending !== null) return ending
    }
  }
}

const endNow = ({ pid, pidfd }: Child): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended in this very moment.
  }
  while (poll([pidfd], null).interrupted);
}

const signalNames = new Map(
  Object.entries(osConstants.signals).map(([name, number]) => [number, name] as const),
)

// Offsets in struct rusage, 64-bit (getrusage(2)): times are seconds and microseconds.
const microsecondsAt = (usage: Buffer, offset: number): number =>
  Number(usage.readBigInt64LE(offset)) * 1e6 + Number(usage.readBigInt64LE(offset + 8))
const countAt = (usage: Buffer, offset: number): number => Number(usage.readBigInt64LE(offset))

const signalOf = ({ status }: Reaped): number => status & 0x7f

const account = (ending: Ending, children: readonly Reaped[]) => {
  const signals = children.map(signalOf)
  const signal = signals.find((number) => number !== 0) ?? null
  const sum = (read: (usage: Buffer, offset: number) => number, offset: number): number =>
    children.reduce((total, { usage }) => total + read(usage, offset), 0)
  return {
    status: ending === 'exited' && signal !== null ? 'signaled' : ending,
    exitCodes: children.map((it) => (signalOf(it) === 0 ? (it.status >> 8) & 0xff : null)),
    signal,
    signalName: signal === null ? null : (signalNames.get(signal) ?? `SIG${signal}`),
    userMicroseconds: sum(microsecondsAt, 0),
    systemMicroseconds: sum(microsecondsAt, 16),
    // The kernel starts a child's peak at that of the process it was started from: Node's.
    maxRssKibibytes: null,
    minorFaults: sum(countAt, 64),
    majorFaults: sum(countAt, 72),
    voluntarySwitches: sum(countAt, 128),
    involuntarySwitches: sum(countAt, 136),
    blocksIn: sum(countAt, 88),
    blocksOut: sum(countAt, 96),
    // posix_spawn leaves no moment to trace a child before its program begins; it may have ended then.
    exitAnonKibibytes: null,
    exitPssKibibytes: null,
    // And its own waking up to look would disturb the children more than a small program's does.
    peakAnonKibibytes: null,
    peakPssKibibytes: null,
  }
}

/** Starts all; those that were started are killed when one cannot be. */
const startAll = async (id: number, prepared: readonly Prepared[]): Promise<readonly Child[]> => {
  const children: Child[] = []
  try {
    for (const { start } of prepared) {
      const pid = attempt('exec', start)
      children.push({ pid, pidfd: pidfdOpen(pid) })
      // posix_spawn cannot ask for the child's death with this process: the parent would see to it.
      answer({ type: 'started', id, group: pid })
    }
    return children
  } catch (failure) {
    children.forEach(({ pidfd }) => void closeSync(pidfd))
    await killDescendants()
    throw failure
  }
}

const measure = async (
  order: Order,
  prepared: readonly Prepared[],
  surroundings: Surroundings,
): Promise<'answered' | 'stopped'> => {
  const startedAt = sinceBootNanoseconds()
  const started = process.hrtime.bigint()
  const children = await startAll(order.id, prepared)
  const ending = await awaitChildren(children, order, { ...surroundings, started })
  if (ending !== 'exited') children.forEach(endNow)
  const wallNanoseconds = elapsedSince(started)
  const endedAt = sinceBootNanoseconds()
  children.forEach(({ pidfd }) => void closeSync(pidfd))
  const reaped = children.map(({ pid }) => reap(pid)).filter((it) => it !== null)
  const stragglers = await killDescendants()
  if (ending === 'stopped' || reaped.length < children.length) return 'stopped'
  answer({
    ...{ type: 'run', id: order.id, ...account(ending, reaped) },
    startedAtNanoseconds: Number(startedAt),
    endedAtNanoseconds: Number(endedAt),
    ...{ wallNanoseconds, stragglers },
  })
  return 'answered'
}

const prepareAll = (order: Order): readonly Prepared[] => {
  const prepared: Prepared[] = []
  try {
    for (let at = 0; at < order.parallel; at++) prepared.push(prepare(order, at))
    return prepared
  } catch (failure) {
    prepared.forEach(({ discard }) => void discard())
    throw failure
  }
}

/** Measures one child, or several at once, and answers; `stopped` when the launcher has to end instead. */
export const run = async (
  request: Request,
  surroundings: Surroundings,
): Promise<'answered' | 'stopped'> => {
  const order = orderOf(request)
  if (order === null) {
    refuse('a run needs cwd, stdout, stderr and at least one arg')
    return 'answered'
  }
  try {
    const prepared = prepareAll(order)
    try {
      return await measure(order, prepared, surroundings)
    } finally {
      prepared.forEach(({ discard }) => void discard())
    }
  } catch (failure) {
    if (!(failure instanceof SpawnFailure)) throw failure
    const { step, errno, message } = failure
    answer({ type: 'run', id: order.id, status: 'spawn-failed', step, errno, message })
    return 'answered'
  }
}
