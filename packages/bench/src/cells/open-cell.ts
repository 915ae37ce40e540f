/**
 * A cell with all that is around its child: hooks in their order, and inner repeats. The order is
 * hyperfine's: setup once, prepare, child, conclude for each sample, cleanup once.
 */
import { AssayError, type HookName, type PlannedCell, plainExecution } from '@assay/model'
import type {
  Engine,
  EngineCell,
  EngineRequest,
  MeasurableCell,
  Measurement,
  SampleRequest,
  Site,
} from '../engines/engine.ts'
import { placeTexts } from '../engines/place-texts.ts'
import { calibrate } from './calibrate.ts'
import { runHook } from './run-hook.ts'

/** A cell that is measured between `setUp` and `close`. */
export interface OpenCell extends MeasurableCell {
  /** Runs the hook setup, under the host lock. Rejects with `hook-failed`: the cell cannot go on. */
  setUp(): Promise<void>
  /** Runs the hook cleanup if setting up was begun; once. Rejects with `hook-failed`. */
  close(): Promise<void>
}

type RunHook = (
  name: HookName,
  around: {
    readonly round?: string
    readonly timeoutSeconds: number
    readonly signal: AbortSignal | null
  },
) => Promise<void>

/** Runs the hooks that a cell has; a hook that it does not have is done at once. */
const hookRunner = (cell: PlannedCell, site: Site): RunHook => {
  const { hooks } = cell.execution ?? plainExecution
  const { datasetDirectory, workingDirectory, scratchDirectory } = site
  const places = placeTexts(cell, datasetDirectory)
  return async (name, { round, timeoutSeconds, signal }) => {
    const argv = hooks[name]
    if (argv === undefined) return
    const variables = {
      ASSAY_CELL: cell.id,
      ...(datasetDirectory === null ? {} : { ASSAY_DATASET: datasetDirectory }),
      ...(round === undefined ? {} : { ASSAY_ROUND: round }),
    }
    await runHook({
      ...{ name, argv, places, workingDirectory, scratchDirectory, variables },
      ...{ timeoutSeconds, signal },
    })
  }
}

/** A sample that was not taken, since what should come before it failed. */
const notTaken = (request: EngineRequest, stderr: string): Measurement => ({
  outcome: 'failed',
  exitCode: null,
  signal: null,
  usage: {
    wallSeconds: 0,
    userSeconds: 0,
    systemSeconds: 0,
    peakRssBytes: null,
    minorFaults: 0,
    majorFaults: 0,
    voluntarySwitches: 0,
    involuntarySwitches: 0,
    blocksIn: 0,
    blocksOut: 0,
  },
  metrics: {},
  loops: request.loops,
  stackPaddingBytes: request.stackPaddingBytes,
  stderr,
})

/** What a hook that failed had to say, and in the last line, what became of it; rethrows the rest. */
const hookFault = (error: unknown): string => {
  if (!(error instanceof AssayError) || error.code !== 'hook-failed') throw error
  return `${String(error.details['stderr'])}\n${error.message}`.trimStart()
}

/** One sample with the hooks around it. */
const betweenHooks =
  (child: EngineCell, hook: RunHook, { signal }: Site) =>
  async (request: EngineRequest): Promise<Measurement> => {
    signal.throwIfAborted()
    const { timeoutSeconds, warmup } = request
    const around = {
      ...{ timeoutSeconds, signal },
      round: `${warmup ? 'warmup-' : ''}${request.round}`,
    }
    const prepared = await hook('prepare', around).then(() => null, hookFault)
    if (prepared !== null) return notTaken(request, prepared)
    const measured = await child.measure(request)
    const concluded = await hook('conclude', around).then(() => null, hookFault)
    if (concluded === null || measured.outcome !== 'good') return measured
    return { ...measured, outcome: 'failed', stderr: concluded }
  }

/** Makes a cell ready; nothing of it runs before `setUp`. Rejects as `Engine.prepare` does. */
export const openCell = async (
  engine: Engine,
  cell: PlannedCell,
  site: Site,
): Promise<OpenCell> => {
  const execution = cell.execution ?? plainExecution
  const { timeoutSeconds, signal } = site
  const hook = hookRunner(cell, site)
  const measure = betweenHooks(await engine.prepare(cell, site), hook, site)
  let loops = execution.loops === 'auto' ? site.savedLoops : execution.loops
  let isOpen = false
  return {
    async setUp() {
      // Whatever runs on this host while another measures would be measured with it.
      if (execution.hooks.setup !== undefined) await site.launcher()
      signal.throwIfAborted()
      isOpen = true
      await hook('setup', { timeoutSeconds, signal })
    },
    async measure(request: SampleRequest) {
      if (loops !== null) return measure({ ...request, loops })
      const calibrated = await calibrate((tried) => measure({ ...request, loops: tried }))
      if (calibrated.outcome === 'good') loops = calibrated.loops
      return calibrated
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await hook('cleanup', { timeoutSeconds, signal: null })
    },
  }
}
