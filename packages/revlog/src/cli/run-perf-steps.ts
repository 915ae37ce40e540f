/**
 * Runs the steps of a perf command and prints their times on standard error, as Mercurial's perf
 * extension does. With --debug each step is also a line of JSON for measuring programs: in `kind`
 * `perf`, the best run's times under the step's title.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { RevlogError } from '../errors.ts'
import {
  type MeasureOptions,
  measureRuns,
  type PerfClock,
  type Timing,
} from '../perf/measure-runs.ts'
import { type PerfSettings, perfSettings } from '../perf/perf-settings.ts'
import type { PerfStep } from '../perf/step.ts'
import { NO_TIMING_JSON, type StepTimings, timingJson, timingText } from '../perf/timing-text.ts'
import type { CommandContext, CommandOptions } from './command.ts'
import type { CliIo } from './output.ts'

/** The options of every perf command. */
export const PERF_OPTIONS: CommandOptions = { template: { type: 'string', short: 'T' } }

/** What --debug prints of a step. */
export interface PerfRecord {
  readonly kind: 'perf'
  /** The step's title; the command's name where it has one step only. */
  readonly title: string
  /** Of the best run. */
  readonly wallSeconds: number
  readonly userSeconds: number
  readonly systemSeconds: number
  readonly medianWallSeconds: number
  readonly runs: number
}

/** Runs all steps in order. Throws `usage` for settings, `unsupported` for a template but json. */
export function runPerfSteps(context: CommandContext, steps: Iterable<PerfStep>): void {
  const settings = perfSettings(context.config, context.io.writeError)
  for (const step of steps) {
    const { title, run } = step
    rest(settings.presleepSeconds)
    if (settings.stub) {
      step.setUp?.()
      run()
      printTimings(context, settings, { title, timings: [] })
    } else {
      const timings = measureRuns(run, measureOptions(context.io, settings, step))
      printTimings(context, settings, { title, timings })
    }
  }
}

/** Prints the times of a step that were taken elsewhere. */
export function printTimings(
  context: CommandContext,
  { allTiming }: Pick<PerfSettings, 'allTiming'>,
  step: StepTimings,
): void {
  const { args, io } = context
  const json = asksForJson(args.text('template'))
  if (step.timings.length === 0) {
    if (json) io.writeError(NO_TIMING_JSON)
    return
  }
  io.writeError(json ? timingJson(step, allTiming) : timingText(step, allTiming))
  if (args.flag('debug')) printRecord(context, step)
}

/** The clocks of this process. */
export function processClock(io: CliIo): PerfClock {
  return {
    wallSeconds: io.clockSeconds,
    cpuSeconds() {
      const { user, system } = process.cpuUsage()
      return { user: user / 1e6, system: system / 1e6 }
    },
  }
}

function printRecord({ args, io }: CommandContext, { title, timings }: StepTimings): void {
  const [best] = timings
  const median: Timing | undefined = timings[timings.length >>> 1]
  if (best === undefined || median === undefined) return
  const record: PerfRecord = {
    kind: 'perf',
    title: title ?? args.command,
    ...best,
    medianWallSeconds: median.wallSeconds,
    runs: timings.length,
  }
  io.writeError(`debug: ${JSON.stringify(record)}\n`)
}

function asksForJson(template: string | undefined): boolean {
  if (template === undefined) return false
  if (template === 'json') return true
  throw new RevlogError('unsupported', 'perf commands print text or -T json: not supported yet')
}

function measureOptions(
  io: CliIo,
  { limits, preRuns }: PerfSettings,
  { maxRuns, setUp = () => undefined }: PerfStep,
): MeasureOptions {
  const all = maxRuns === undefined ? limits : [...limits, { seconds: 0, runs: maxRuns }]
  const collectGarbage = garbageCollector()
  return { clock: processClock(io), limits: all, preRuns, collectGarbage, setUp }
}

/** V8's own collector, which a program sees only behind a flag. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  return () => {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
  }
}

function rest(seconds: number): void {
  if (seconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000)
}
