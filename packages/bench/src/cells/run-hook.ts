/**
 * Runs one hook to its end, untimed: literal argv, the child's clean environment, its stderr kept.
 * A hook is under guard: one that hangs, or whose worker dies, is ended with all it started.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment, type GuardedEnd, startGuarded } from '@assay/measure'
import { fillPlaces, type HookName } from '@assay/model'
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

const environmentOf = (run: HookRun): Readonly<Record<string, string>> =>
  childEnvironment({
    path: process.env['PATH'] ?? '',
    home: run.scratchDirectory,
    paddingBytes: 0,
    additions: run.variables,
  })

const wordsOf = (end: GuardedEnd): string | null => {
  if (end.type === 'failed') return `could not be started: ${end.reason}`
  if (end.type === 'signaled') return `was ended by ${end.signal}`
  return end.code === 0 ? null : `exited with ${end.code}`
}

/** Ends whatever a hook left running; resolves when nothing is left. */
export type EndLeftovers = () => Promise<void>

interface HookEnd {
  /** What went wrong, or null for a good end. */
  readonly fault: string | null
  readonly endLeftovers: EndLeftovers
}

const start = async (run: HookRun, stderr: number): Promise<HookEnd> => {
  const [program = '', ...rest] = run.argv.map((argument) => fillPlaces(argument, run.places))
  const { workingDirectory } = run
  // What a hook leaves running holds its output open: it is a file, for whose end nobody waits.
  const hook = startGuarded({
    ...{ argv: [program, ...rest], workingDirectory, environment: environmentOf(run), stderr },
  })
  const kill = (): void => void hook.kill()
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    kill()
  }, run.timeoutSeconds * 1000)
  run.signal?.addEventListener('abort', kill)
  try {
    const end = await hook.ended
    const late = `took longer than ${run.timeoutSeconds} s and was killed`
    return { fault: isLate ? late : wordsOf(end), endLeftovers: hook.kill }
  } catch (error) {
    await hook.kill()
    throw error
  } finally {
    clearTimeout(limit)
    run.signal?.removeEventListener('abort', kill)
  }
}

/**
 * Runs a hook; rejects with `hook-failed`, or with the reason of its signal. What setup leaves running
 * serves the samples and is ended by whoever closes the cell; of all other hooks, and of one that
 * failed, nothing runs on beside a child.
 */
export const runHook = async (run: HookRun): Promise<EndLeftovers> => {
  run.signal?.throwIfAborted()
  const path = join(run.scratchDirectory, 'hook-stderr')
  const file = await open(path, 'w')
  try {
    const { fault, endLeftovers } = await start(run, file.fd)
    const isStopped = run.signal?.aborted === true
    if (run.name !== 'setup' || fault !== null || isStopped) await endLeftovers()
    run.signal?.throwIfAborted()
    if (fault !== null) throw hookFailed(run.name, fault, await readEnd(path, keptStderrBytes))
    return endLeftovers
  } finally {
    await file.close()
  }
}
