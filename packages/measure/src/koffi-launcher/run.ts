/** Serves `run`: starts, times and accounts for one child, as native/run.c but without peak memory. */
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
import { pidfdOpen, poll, type Reaped, reap } from './libc.ts'
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

/** Sleeps until the child has ended, or until there is a reason to end it. */
const awaitChild = async (
  pidfd: number,
  order: Order,
  { started, lines, stopping }: Surroundings & { readonly started: bigint },
): Promise<Ending> => {
  for (;;) {
    const limit = order.timeoutNanoseconds
    const left = limit === null ? null : Math.max(0, limit - elapsedSince(started))
    const { readable, interrupted } = poll([pidfd, 0], left)
    if (interrupted) {
      await turn() // lets the signal's handler run
      if (stopping()) return 'stopped'
      continue
    }
    if (readable[0] === true) return 'exited'
    if (readable[1] !== true) return 'timed-out'
    const ending = interruption(order.id, lines)
    if (ending !== null) return ending
  }
}

const endNow = (pid: number, pidfd: number): void => {
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

const account = (ending: Ending, { status, usage }: Reaped) => {
  const signal = status & 0x7f
  return {
    status: ending === 'exited' && signal !== 0 ? 'signaled' : ending,
    exitCode: signal === 0 ? (status >> 8) & 0xff : null,
    signal: signal === 0 ? null : signal,
    signalName: signal === 0 ? null : (signalNames.get(signal) ?? `SIG${signal}`),
    userMicroseconds: microsecondsAt(usage, 0),
    systemMicroseconds: microsecondsAt(usage, 16),
    // The kernel starts a child's peak at that of the process it was started from: Node's.
    maxRssKibibytes: null,
    minorFaults: countAt(usage, 64),
    majorFaults: countAt(usage, 72),
    voluntarySwitches: countAt(usage, 128),
    involuntarySwitches: countAt(usage, 136),
    blocksIn: countAt(usage, 88),
    blocksOut: countAt(usage, 96),
  }
}

const measure = async (order: Order, prepared: Prepared, surroundings: Surroundings) => {
  const started = process.hrtime.bigint()
  const pid = attempt('exec', prepared.start)
  const pidfd = pidfdOpen(pid)
  // posix_spawn cannot ask for the child's death with this process: the parent would see to it.
  answer({ type: 'started', id: order.id, group: pid })
  const ending = await awaitChild(pidfd, order, { ...surroundings, started })
  if (ending !== 'exited') endNow(pid, pidfd)
  const wallNanoseconds = elapsedSince(started)
  closeSync(pidfd)
  const reaped = reap(pid)
  const stragglers = await killDescendants()
  if (ending === 'stopped' || reaped === null) return 'stopped'
  answer({ type: 'run', id: order.id, ...account(ending, reaped), wallNanoseconds, stragglers })
  return 'answered'
}

/** Measures one child and answers; `stopped` when the launcher has to end instead. */
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
    const prepared = prepare(order)
    try {
      return await measure(order, prepared, surroundings)
    } finally {
      prepared.discard()
    }
  } catch (failure) {
    if (!(failure instanceof SpawnFailure)) throw failure
    const { step, errno, message } = failure
    answer({ type: 'run', id: order.id, status: 'spawn-failed', step, errno, message })
    return 'answered'
  }
}
