/**
 * Runs one hook to its end, untimed: literal argv, the child's clean environment, its stderr kept.
 * A hook is a process group of its own, so that a hook that hangs is ended with all it started.
 */
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment } from '@assay/measure'
import { fillPlaces, type HookName } from '@assay/model'
import { execa } from 'execa'
import { readEnd } from '../engines/child.ts'
import { hookFailed } from '../errors.ts'

/** How much of a hook's stderr is kept: its end, where the cause stands. */
const keptStderrBytes = 4096

/** One hook to run. */
export interface HookRun {
  readonly name: HookName
  readonly argv: readonly string[]
  /** What its places receive. */
  readonly places: ReadonlyMap<string, string>
  readonly workingDirectory: string
  /** Its home, as it is the measured child's, and where its stderr is kept. */
  readonly scratchDirectory: string
  /** Variables that tell it for what it runs. */
  readonly variables: Readonly<Record<string, string>>
  readonly timeoutSeconds: number
  /** Ends it; null for a hook that runs whatever happens. */
  readonly signal: AbortSignal | null
}

const killGroup = (group: number): void => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nothing is left of it.
  }
}

/** How the hook ended, or null for a good end. */
const start = async (run: HookRun, stderr: WriteStream): Promise<string | null> => {
  const [program = '', ...rest] = run.argv.map((argument) => fillPlaces(argument, run.places))
  const child = execa(program, rest, {
    cwd: run.workingDirectory,
    env: childEnvironment({
      path: process.env['PATH'] ?? '',
      home: run.scratchDirectory,
      paddingBytes: 0,
      additions: run.variables,
    }),
    extendEnv: false,
    detached: true,
    reject: false,
    // What a hook leaves running holds its output open: it is a file, for whose end nobody waits.
    stdin: 'ignore',
    stdout: 'ignore',
    stderr,
  })
  const { pid } = child
  const kill = (): void => {
    if (pid !== undefined) killGroup(pid)
  }
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    kill()
  }, run.timeoutSeconds * 1000)
  run.signal?.addEventListener('abort', kill)
  try {
    const ended = await child
    if (isLate) return `took longer than ${run.timeoutSeconds} s and was killed`
    if (!ended.failed) return null
    if (ended.exitCode !== undefined) return `exited with ${ended.exitCode}`
    if (ended.signal !== undefined) return `was ended by ${ended.signal}`
    return `could not be started: ${ended.originalMessage ?? 'for no known reason'}`
  } finally {
    clearTimeout(limit)
    run.signal?.removeEventListener('abort', kill)
    // What setup leaves running serves the samples; of the others, nothing may run beside a child.
    if (run.name !== 'setup') kill()
  }
}

/** Runs a hook; rejects with `hook-failed`, or with the reason of its signal. */
export const runHook = async (run: HookRun): Promise<void> => {
  run.signal?.throwIfAborted()
  const path = join(run.scratchDirectory, 'hook-stderr')
  const file = createWriteStream(path)
  await once(file, 'open')
  try {
    const fault = await start(run, file)
    run.signal?.throwIfAborted()
    if (fault !== null) throw hookFailed(run.name, fault, await readEnd(path, keptStderrBytes))
  } finally {
    file.destroy()
  }
}
