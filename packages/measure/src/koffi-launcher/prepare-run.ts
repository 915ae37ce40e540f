/** Everything about a child that can be done before the clock starts. */
import { accessSync, closeSync, constants as fsConstants, openSync, statSync } from 'node:fs'
import { constants as osConstants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import { affinityMask, getAffinity, setAffinity } from '../affinity.ts'
import { readCpuList } from '../cpu-list.ts'
import { SystemFault } from '../system-fault.ts'
import { allValues, lastValue, type Request } from './conversation.ts'
import { prepareSpawn, type Spawn } from './libc.ts'

/** A `run` request in values. */
export interface Order {
  readonly id: number
  readonly argv: readonly [string, ...string[]]
  readonly environment: readonly string[]
  readonly workingDirectory: string
  readonly stdin: string
  readonly stdout: string
  readonly stderr: string
  readonly timeoutNanoseconds: number | null
  readonly cpus: readonly number[] | null
  /** How many children at once. */
  readonly parallel: number
}

/** As native/launcher.h. */
const mostChildren = 128

/** The order in a request; null when something that it needs is missing. */
export const orderOf = (request: Request): Order | null => {
  const [program, ...rest] = allValues(request, 'arg')
  const workingDirectory = lastValue(request, 'cwd')
  const stdout = lastValue(request, 'stdout')
  const stderr = lastValue(request, 'stderr')
  const list = lastValue(request, 'cpus')
  const parallel = Number(lastValue(request, 'parallel') ?? 1)
  const cpus = list === null ? null : readCpuList(list)
  if (program === undefined || workingDirectory === null || stdout === null || stderr === null)
    return null
  if (list !== null && cpus === null) return null
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > mostChildren) return null
  return {
    id: Number(lastValue(request, 'id') ?? 0),
    argv: [program, ...rest],
    environment: allValues(request, 'env'),
    workingDirectory,
    stdin: lastValue(request, 'stdin') ?? '/dev/null',
    stdout,
    stderr,
    timeoutNanoseconds: Number(lastValue(request, 'timeout') ?? 0) || null,
    cpus,
    parallel,
  }
}

/** A child that could not be started, and at which step. */
export class SpawnFailure extends Error {
  readonly step: string
  readonly errno: number

  constructor(step: string, errno: number) {
    super(getSystemErrorMap().get(-errno)?.[1] ?? `error ${errno}`)
    this.step = step
    this.errno = errno
  }
}

/** Runs one step of a start; what the system says against it names the step. */
export const attempt = <T>(step: string, action: () => T): T => {
  try {
    return action()
  } catch (cause) {
    if (cause instanceof SpawnFailure) throw cause // an inner step named itself
    if (cause instanceof SystemFault) throw new SpawnFailure(step, cause.errno)
    if (cause instanceof Error && 'errno' in cause && typeof cause.errno === 'number')
      throw new SpawnFailure(step, Math.abs(cause.errno))
    throw cause
  }
}

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, fsConstants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // the next folder of the PATH may have it
  }
}

const findProgram = (order: Order): string => {
  const [name] = order.argv
  if (name.includes('/')) return name
  const path = order.environment.find((entry) => entry.startsWith('PATH='))?.slice(5) ?? ''
  const folders = path.split(':').filter((folder) => folder !== '')
  const found = folders.map((folder) => `${folder}/${name}`).find(isProgram)
  if (found === undefined) throw new SystemFault(osConstants.errno.ENOENT)
  return found
}

/** A child that is ready to start, and what to give back after it. */
export interface Prepared {
  readonly start: () => number
  readonly discard: () => void
}

const outputFlags = fsConstants.O_WRONLY | fsConstants.O_CREAT | fsConstants.O_TRUNC

/** What child `at` writes: children other than the first have files of their own. */
const outputOf = (path: string, at: number): string =>
  at === 0 || path === '/dev/null' ? path : `${path}.${at + 1}`

/** Opens and looks up everything that can be had before the clock starts, for child `at` from 0. */
export const prepare = (order: Order, at: number): Prepared => {
  const opened: number[] = []
  const open = (step: string, path: string, flags: number): number => {
    const file = attempt(step, () => openSync(path, flags, 0o666))
    opened.push(file)
    return file
  }
  const discard = () => opened.forEach((file) => void closeSync(file))
  try {
    const stdin = open('stdin', order.stdin, fsConstants.O_RDONLY)
    const stdout = open('stdout', outputOf(order.stdout, at), outputFlags)
    const stderr =
      order.stderr === order.stdout
        ? stdout
        : open('stderr', outputOf(order.stderr, at), outputFlags)
    const program = attempt('exec', () => findProgram(order))
    // posix_spawn does not tell which of its steps failed.
    attempt('working directory', () => statSync(order.workingDirectory))
    const spawn: Spawn = { ...order, program, files: [stdin, stdout, stderr] }
    return { start: pinned(order.cpus, prepareSpawn(spawn)), discard }
  } catch (failure) {
    discard()
    throw failure
  }
}

/** A child inherits the processors of the thread that starts it: set just before, undone just after. */
const pinned = (cpus: readonly number[] | null, start: () => number): (() => number) => {
  if (cpus === null) return start
  const before = getAffinity()
  const mask = affinityMask(cpus)
  return () => {
    attempt('affinity', () => setAffinity(mask))
    try {
      return start()
    } finally {
      setAffinity(before)
    }
  }
}
