/**
 * A program that is not measured, but runs where measuring is done: it ends with this process, however
 * that one ends, and takes along all that it started. The launcher's `--guard` sees to it; without a
 * native launcher the program is a process group, which this process ends while it lives itself.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { getSystemErrorName } from 'node:util'
import { launcherGarbled } from './errors.ts'
import { defaultLauncherKind, launcherPrograms } from './launcher-process.ts'

/** What to run: literal arguments, a whole environment, and the open file that takes its stderr. */
export interface GuardedRequest {
  readonly argv: readonly [string, ...string[]]
  readonly workingDirectory: string
  readonly environment: Readonly<Record<string, string>>
  readonly stderr: number
}

/** How a program ended, whatever it left running. */
export type GuardedEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signaled'; readonly signal: string }
  | { readonly type: 'failed'; readonly reason: string }

/** A program under guard. */
export interface GuardedProgram {
  /** How the program itself ended; what it left running goes on. */
  readonly ended: Promise<GuardedEnd>
  /** Kills it and all it started; resolves when nothing is left. */
  kill(): Promise<void>
}

const signalNames = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name] as const),
)

const failed = (error: Error): GuardedEnd => ({ type: 'failed', reason: error.message })

const signaled = (signal: string): GuardedEnd => ({ type: 'signaled', signal })

/** A line of the guard's; throws `launcher-garbled`. */
const parseEnd = (line: string, program: string): GuardedEnd => {
  const [, word, text] = /^(exited|signaled|failed) (\d+)$/.exec(line) ?? []
  const number = Number(text)
  if (word === 'exited') return { type: 'exited', code: number }
  if (word === 'signaled') return signaled(signalNames.get(number) ?? `SIG${number}`)
  if (word === 'failed') return failed(new Error(`${program} ${getSystemErrorName(-number)}`))
  throw launcherGarbled(line)
}

const closed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })

/** Under the native launcher, which ends when this process does and first kills what is left. */
const startUnderGuard = (request: GuardedRequest): GuardedProgram => {
  const child = spawn(
    launcherPrograms.native,
    [`--parent=${process.pid}`, '--guard', ...request.argv],
    {
      cwd: request.workingDirectory,
      env: { ...request.environment },
      detached: true,
      stdio: ['ignore', 'pipe', request.stderr],
    },
  )
  const gone = closed(child)
  const ended = new Promise<GuardedEnd>((resolve, reject) => {
    child.once('error', (error) => resolve(failed(error)))
    const hear = (line: string): void => {
      try {
        resolve(parseEnd(line, request.argv[0]))
      } catch (garbled) {
        reject(garbled)
      }
    }
    if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', hear)
    // Killed before it could say anything: by `kill`, or by somebody else.
    child.once('close', (_, signal) => resolve(signaled(signal ?? 'SIGKILL')))
  })
  // What a program leaves running keeps nobody waiting.
  ended.then(
    () => child.unref(),
    () => child.unref(),
  )
  return {
    ended,
    kill: async () => {
      child.ref()
      child.kill('SIGTERM')
      await gone
    },
  }
}

const killGroup = (group: number | undefined): void => {
  if (group === undefined) return
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nothing is left of it.
  }
}

const startGroup = (request: GuardedRequest): GuardedProgram => {
  const [program, ...rest] = request.argv
  const child = spawn(program, rest, {
    cwd: request.workingDirectory,
    env: { ...request.environment },
    detached: true,
    stdio: ['ignore', 'ignore', request.stderr],
  })
  const ended = new Promise<GuardedEnd>((resolve) => {
    child.once('error', (error) => resolve(failed(error)))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { type: 'exited', code: code ?? 0 } : signaled(signal)),
    )
  })
  return {
    ended,
    kill: async () => {
      killGroup(child.pid)
      await ended
    },
  }
}

/** Starts a program under guard. It never rejects: a program that cannot be started has `failed`. */
export const startGuarded = (request: GuardedRequest): GuardedProgram =>
  defaultLauncherKind() === 'native' ? startUnderGuard(request) : startGroup(request)
