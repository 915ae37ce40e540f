/** The one way to measure: a launcher, opened for a block under the host lock and closed after it. */
import { resolve } from 'node:path'
import type { Invocation } from '@assay/model'
import {
  hostBusy,
  hostLockFailed,
  launcherBusy,
  launcherGarbled,
  launcherRefused,
} from './errors.ts'
import { endedResult, type LaunchResult, spawnFailedResult } from './launch-result.ts'
import { defaultLauncherKind, type LauncherKind, LauncherProcess } from './launcher-process.ts'
import { type Answer, cancelLine, lockLine, type RunRequest, runLine } from './protocol.ts'

/** One child to measure, or several of the same at once. */
export interface LaunchRequest {
  readonly invocation: Invocation
  /** Files that receive the child's output; created or truncated. */
  readonly stdout: string
  readonly stderr: string
  /** After which the child and all it started are killed; null: never. */
  readonly timeoutSeconds: number | null
  /** File that the child reads; without it, an empty input. */
  readonly stdin?: string
  /**
   * Processors the child may use, as in the kernel's lists (`0,2-3`); without it, those of the
   * launcher.
   */
  readonly cpus?: string
  /**
   * How many children run at once, 1 to 128 (default 1). Child K from the second on writes to
   * `stdout.K` and `stderr.K`. Wall time is from the first start to the last end, peak memory that
   * of the largest child, all else a sum; one that fails makes the result `failed`.
   */
  readonly parallel?: number
  /** Whether memory is told apart by who pays for it, which costs time: for warmups. */
  readonly memory?: boolean
}

/** A launcher: measures one child at a time and leaves nothing of it behind. */
export interface Launcher {
  readonly kind: LauncherKind
  readonly pid: number
  /**
   * Runs a child, or several at once, to the end, and kills and awaits all it started. Rejects with `launcher-busy` while
   * another one runs, `launcher-refused` for what cannot be sent (a NUL in an argument),
   * `launcher-died` and `launcher-closed`.
   */
  run(request: LaunchRequest): Promise<LaunchResult>
  /** Kills the child under way, whose run then resolves as `killed`; nothing when there is none. */
  cancel(): void
  /** Ends the launcher, kills what it runs and frees the host lock. */
  close(): Promise<void>
}

/** How to open a launcher. */
export interface LauncherOptions {
  /** The host's lock file, and how long to wait for it; null: none is taken (for tests and probes). */
  readonly hostLock: { readonly path: string; readonly waitSeconds: number } | null
  /** Native if it was built, unless asked for. */
  readonly kind?: LauncherKind
  /** Ends the wait for the lock; the opening then rejects with its reason. */
  readonly signal?: AbortSignal
}

const nanoseconds = (seconds: number): number => Math.max(1, Math.round(seconds * 1e9))

const unexpected = (answer: Answer): Error =>
  answer.type === 'refused' ? launcherRefused(answer.reason) : launcherGarbled(answer.type)

const wireRequest = (id: number, request: LaunchRequest): RunRequest => ({
  id,
  argv: request.invocation.argv,
  workingDirectory: resolve(request.invocation.workingDirectory),
  environment: request.invocation.environment,
  stdin: request.stdin === undefined ? null : resolve(request.stdin),
  stdout: resolve(request.stdout),
  stderr: resolve(request.stderr),
  timeoutNanoseconds: request.timeoutSeconds === null ? null : nanoseconds(request.timeoutSeconds),
  cpus: request.cpus ?? null,
  parallel: request.parallel ?? 1,
  memory: request.memory ?? false,
})

class MeasuringLauncher implements Launcher {
  readonly #process: LauncherProcess
  #lastRun = 0
  #running: number | null = null

  constructor(launcherProcess: LauncherProcess) {
    this.#process = launcherProcess
  }

  get kind(): LauncherKind {
    return this.#process.kind
  }

  get pid(): number {
    return this.#process.pid
  }

  async run(request: LaunchRequest): Promise<LaunchResult> {
    if (this.#running !== null) throw launcherBusy()
    const id = this.#lastRun + 1
    this.#lastRun = id
    this.#running = id
    try {
      const answer = await this.#process.ask(runLine(wireRequest(id, request)))
      if (answer.type !== 'run' || answer.id !== id) throw unexpected(answer)
      return answer.status === 'spawn-failed'
        ? spawnFailedResult(answer, request.invocation)
        : endedResult(answer, request)
    } finally {
      this.#running = null
    }
  }

  cancel(): void {
    if (this.#running !== null) this.#process.send(cancelLine(this.#running))
  }

  close(): Promise<void> {
    return this.#process.close()
  }
}

const takeHostLock = async (
  launcherProcess: LauncherProcess,
  { path, waitSeconds }: { readonly path: string; readonly waitSeconds: number },
): Promise<void> => {
  const wait = waitSeconds > 0 ? nanoseconds(waitSeconds) : 0
  const answer = await launcherProcess.ask(lockLine(resolve(path), wait))
  if (answer.type !== 'lock') throw unexpected(answer)
  if (answer.state === 'busy') throw hostBusy(path, answer.holder)
  if (answer.state === 'failed') throw hostLockFailed(path, answer.message)
}

/**
 * Starts a launcher and takes the host lock with it, which is held until the launcher ends, however
 * it ends. Rejects with `host-busy` when the lock is still taken after the wait,
 * `host-lock-failed`, `launcher-missing`, `launcher-died` and the reason of `signal`.
 */
export const openLauncher = async (options: LauncherOptions): Promise<Launcher> => {
  const { signal } = options
  signal?.throwIfAborted()
  const launcherProcess = new LauncherProcess(options.kind ?? defaultLauncherKind())
  // It waits for the lock in the kernel, where it reads no request.
  const giveUp = (): void => launcherProcess.kill()
  signal?.addEventListener('abort', giveUp)
  try {
    const ready = await launcherProcess.ready
    if (ready.type !== 'ready') throw unexpected(ready)
    if (options.hostLock !== null) await takeHostLock(launcherProcess, options.hostLock)
    return new MeasuringLauncher(launcherProcess)
  } catch (failure) {
    await launcherProcess.close()
    throw signal?.aborted === true ? signal.reason : failure
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}
