/** Measures a described child by the launcher: what all engines that start a program share. */
import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { childEnvironment, dropPages, type LaunchResult } from '@assay/measure'
import { type Execution, type PlannedCell, plainExecution, type Usage } from '@assay/model'
import { outputFault } from './check-output.ts'
import type { EngineCell, EngineRequest, EngineSite, Measurement } from './engine.ts'

/** How many bytes of a failed child's stderr are kept: its end, where the cause stands. */
const keptStderrBytes = 4096

/** Exit codes are one byte (POSIX.1-2024, exit). */
const allExitCodes = Array.from({ length: 256 }, (_, code) => code)

/** A program to be measured. */
export interface ChildDescription {
  /** Program and arguments for a number of inner repeats. */
  readonly argvFor: (loops: number) => readonly [string, ...string[]]
  readonly workingDirectory: string
  /** Reads the engine's own metrics from what the child wrote to stderr; null where it has none. */
  readonly readMetrics: ((stderr: string) => Readonly<Record<string, number>>) | null
}

/** The last `most` bytes of a file as text. */
export const readEnd = async (path: string, most: number): Promise<string> => {
  const { size } = await stat(path)
  const length = Math.min(size, most)
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8')
  } finally {
    await file.close()
  }
}

/** The launcher's file of each child: the first has the plain name, child K the name with `.K`. */
const filesOf = (path: string, parallel: number): readonly string[] =>
  Array.from({ length: parallel }, (_, at) => (at === 0 ? path : `${path}.${at + 1}`))

/** The first child that said something, said it for all. */
const readStderr = async (path: string, parallel: number, most: number): Promise<string> => {
  for (const file of filesOf(path, parallel)) {
    const text = await readEnd(file, most)
    if (text !== '') return text
  }
  return ''
}

/** Times are for one loop; everything else is what the whole child used. */
const perLoop = (usage: Usage, loops: number): Usage => ({
  ...usage,
  wallSeconds: usage.wallSeconds / loops,
  userSeconds: usage.userSeconds / loops,
  systemSeconds: usage.systemSeconds / loops,
})

/** What the launcher knows beyond usage. */
const launcherMetrics = (result: LaunchResult): Readonly<Record<string, number>> => {
  const { startedAtSeconds, endedAtSeconds, memory, stragglers } = result
  // A child that leaves nothing behind, as nearly all, has nothing to be told of it.
  const left = stragglers === 0 ? null : stragglers
  const told = { startedAtSeconds, endedAtSeconds, stragglers: left, ...memory }
  const known = Object.entries(told).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  )
  return Object.fromEntries(known)
}

interface Launch {
  readonly child: ChildDescription
  readonly execution: Execution
  readonly site: EngineSite
  readonly stdout: string
  readonly stderr: string
}

/** Nothing that the child reads may be in memory yet. */
const dropInputs = ({ dataset, remote, bundle }: EngineSite['places']): void => {
  const folders = [dataset, remote, bundle === null ? null : dirname(bundle)]
  for (const folder of folders) if (folder !== null) dropPages(folder)
}

const launch = async (of: Launch, request: EngineRequest): Promise<LaunchResult> => {
  const { child, execution, site, stdout, stderr } = of
  const launcher = await site.launcher()
  if (request.cache === 'cold') dropInputs(site.places)
  const { exitCodes, parallel, env = {} } = execution
  return launcher.run({
    invocation: {
      argv: child.argvFor(request.loops),
      workingDirectory: child.workingDirectory,
      environment: childEnvironment({
        path: process.env['PATH'] ?? '',
        home: site.scratchDirectory,
        paddingBytes: request.stackPaddingBytes,
        additions: env,
      }),
      expectedExitCodes: exitCodes === 'any' ? allExitCodes : exitCodes,
    },
    stdout,
    stderr,
    timeoutSeconds: request.timeoutSeconds,
    parallel,
    ...(site.cpus === null ? {} : { cpus: site.cpus }),
    // Looking takes time; several children at once are asked how large they are together.
    memory: request.warmup || parallel > 1,
  })
}

/** A cell that starts `child` anew for every sample. */
export const measurableChild = (
  child: ChildDescription,
  cell: PlannedCell,
  site: EngineSite,
): EngineCell => {
  const execution = cell.execution ?? plainExecution
  const { output, parallel } = execution
  const stderr = join(site.scratchDirectory, 'stderr')
  const captured = join(site.scratchDirectory, 'stdout')
  return {
    async measure(request: EngineRequest): Promise<Measurement> {
      const isChecked = output !== null && (request.warmup || output.every)
      const stdout = isChecked ? captured : '/dev/null'
      const result = await launch({ child, execution, site, stdout, stderr }, request)
      const ended = result.outcome === 'good'
      // Megabytes of stderr are a child's mistake; metrics stand in its last lines.
      const said = await readStderr(stderr, parallel, ended ? 65_536 : keptStderrBytes)
      const fault =
        ended && isChecked ? await outputFault(output, filesOf(captured, parallel)) : null
      const { usage, exitCode, signal } = result
      return {
        outcome: fault === null ? result.outcome : 'failed',
        exitCode,
        signal,
        usage: perLoop(usage, request.loops),
        metrics: {
          ...launcherMetrics(result),
          ...(ended && child.readMetrics !== null ? child.readMetrics(said) : {}),
        },
        loops: request.loops,
        stackPaddingBytes: request.stackPaddingBytes,
        stderr: fault ?? (ended ? '' : said === '' ? result.explanation : said),
      }
    },
  }
}
