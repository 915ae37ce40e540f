/**
 * Runs a step again and again and takes its times, by the rules of Mercurial's perf extension: until
 * one of the limits is reached, garbage collected before each run. The clock is handed in.
 */

/** The clocks of one process. */
export interface PerfClock {
  /** Seconds on a clock that only goes forward. */
  wallSeconds(): number
  /** Processor time of the process so far. */
  cpuSeconds(): { readonly user: number; readonly system: number }
}

/** Enough is measured after so many seconds if there were at least so many runs. */
export interface RunLimit {
  readonly seconds: number
  readonly runs: number
}

/** How a step is run. */
export interface MeasureOptions {
  readonly clock: PerfClock
  /** The first limit that is reached ends it. */
  readonly limits: readonly RunLimit[]
  /** Runs before those that count. */
  readonly preRuns: number
  readonly collectGarbage: () => void
  /** Called before each run, unmeasured. */
  readonly setUp?: () => void
}

/** The times of one run. */
export interface Timing {
  readonly wallSeconds: number
  readonly userSeconds: number
  readonly systemSeconds: number
}

/** The times of all runs, the shortest first. */
export function measureRuns(step: () => unknown, options: MeasureOptions): Timing[] {
  const { clock, limits, preRuns, collectGarbage, setUp = () => undefined } = options
  for (let run = 0; run < preRuns; run++) {
    setUp()
    collectGarbage()
    step()
  }
  const begin = clock.wallSeconds()
  const timings: Timing[] = []
  for (;;) {
    setUp()
    collectGarbage()
    timings.push(measureRun(step, clock))
    const elapsed = clock.wallSeconds() - begin
    if (limits.some(({ seconds, runs }) => elapsed >= seconds && timings.length >= runs)) break
  }
  return timings.sort(compareTimings)
}

/** The times of one run. */
export function measureRun(step: () => unknown, clock: PerfClock): Timing {
  const cpu = clock.cpuSeconds()
  const start = clock.wallSeconds()
  step()
  const wallSeconds = clock.wallSeconds() - start
  const { user, system } = clock.cpuSeconds()
  return { wallSeconds, userSeconds: user - cpu.user, systemSeconds: system - cpu.system }
}

function compareTimings(a: Timing, b: Timing): number {
  return (
    a.wallSeconds - b.wallSeconds ||
    a.userSeconds - b.userSeconds ||
    a.systemSeconds - b.systemSeconds
  )
}
