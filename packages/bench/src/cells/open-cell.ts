/**
 * A cell with all that is around its child: fresh copies of its dataset, hooks in their order, and
 * inner repeats. The order is hyperfine's: setup once, prepare, child, conclude for each sample,
 * cleanup once; a fresh copy comes before prepare.
 */
import { AssayError, type HookName, noUsage, type PlannedCell, plainExecution } from '@assay/model'
import type {
  Engine,
  EngineCell,
  EngineRequest,
  EngineSite,
  MeasurableCell,
  Measurement,
  SampleRequest,
  Site,
} from '../engines/engine.ts'
import { placeTexts } from '../engines/place-texts.ts'
import { calibrate } from './calibrate.ts'
import { type CopyPath, copiesOf, type FreshCopies, openFreshCopies } from './fresh-copies.ts'
import { hookVariables } from './hook-variables.ts'
import { type EndLeftovers, runHook } from './run-hook.ts'
import { extraHeadsOf, inputsOf, makeInputs, type SampleInputs } from './sample-inputs.ts'

/** A cell that is measured between `setUp` and `close`. */
export interface OpenCell extends MeasurableCell {
  /** Runs the hook setup, under the host lock. Rejects with `hook-failed`: the cell cannot go on. */
  setUp(): Promise<void>
  /** Whether its inner repeats are still to be found out. */
  needsLoops(): boolean
  /** How many inner repeats make a sample long enough; null if a sample failed on the way. */
  findLoops(request: SampleRequest): Promise<number | null>
  /** Sets the inner repeats of every sample to come; without it and a known number, it is one. */
  useLoops(loops: number): void
  /**
   * Runs the hook cleanup if setting up was begun, ends what the hook setup left running, and removes
   * copies; once. Rejects with
   * `hook-failed`, which changes no sample, or with `dataset-changed`, which leaves none to be trusted.
   */
  close(): Promise<void>
}

type RunHook = (
  name: HookName,
  around: {
    readonly round?: string
    readonly timeoutSeconds: number
    readonly signal: AbortSignal | null
  },
) => Promise<EndLeftovers>

const nothingLeft: EndLeftovers = () => Promise.resolve()

/** Runs the hooks that a cell has; a hook that it does not have is done at once. */
const hookRunner = (cell: PlannedCell, site: Site): RunHook => {
  const { hooks, env = {} } = cell.execution ?? plainExecution
  const { datasetDirectory, workingDirectory, scratchDirectory } = site
  const places = placeTexts(cell, datasetDirectory)
  return async (name, { round, timeoutSeconds, signal }) => {
    const argv = hooks[name]
    if (argv === undefined) return nothingLeft
    const occasion = { cellId: cell.id, datasetDirectory }
    const own = hookVariables(round === undefined ? occasion : { ...occasion, round })
    const variables = { ...env, ...own }
    return runHook({
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
  usage: noUsage,
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

const faultOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What stands around the child of a sample. */
interface Surrounding {
  readonly copies: FreshCopies | null
  readonly hook: RunHook
  readonly signal: AbortSignal
}

/** One sample with its fresh copy, if it has one, and the hooks around it. */
const betweenHooks =
  (child: EngineCell, { copies, hook, signal }: Surrounding) =>
  async (request: EngineRequest): Promise<Measurement> => {
    signal.throwIfAborted()
    const { timeoutSeconds, warmup } = request
    const copyFault = await copies?.renew(request.cache).then(() => null, faultOf)
    signal.throwIfAborted()
    if (typeof copyFault === 'string') return notTaken(request, copyFault)
    const around = {
      ...{ timeoutSeconds, signal },
      round: request.round === 0 ? 'calibration' : `${warmup ? 'warmup-' : ''}${request.round}`,
    }
    const prepared = await hook('prepare', around).then(() => null, hookFault)
    if (prepared !== null) return notTaken(request, prepared)
    const measured = await child.measure(request)
    const concluded = await hook('conclude', around).then(() => null, hookFault)
    if (concluded === null) return measured
    if (measured.outcome === 'good') return { ...measured, outcome: 'failed', stderr: concluded }
    // The child's own fault stays the last line, by which the cell is described.
    return { ...measured, stderr: `${concluded}\n${measured.stderr}` }
  }

/** The site as the child sees it: copies where there are some, originals elsewhere. */
const siteWithInputs = (
  site: Site,
  mode: string,
  {
    inputs,
    copies,
  }: { readonly inputs: SampleInputs | null; readonly copies: readonly CopyPath[] },
): EngineSite => {
  const seen = (path: string | null): string | null =>
    copies.find(({ original }) => original === path)?.copy ?? path
  const dataset = seen(inputs?.dataset ?? null)
  const places = {
    ...{ benchmark: site.block.benchmark.name, mode },
    dataset,
    remote: seen(inputs?.remote ?? null),
    bundle: inputs?.bundle ?? null,
    extraHeads: () => extraHeadsOf(inputs),
    scratch: site.scratchDirectory,
  }
  return { ...site, datasetDirectory: dataset, places }
}

/** Makes a cell ready; nothing of it runs before `setUp`. Rejects as `Engine.prepare` does. */
export const openCell = async (
  engine: Engine,
  cell: PlannedCell,
  site: Site,
): Promise<OpenCell> => {
  const execution = cell.execution ?? plainExecution
  const { timeoutSeconds, signal } = site
  const { datasetDirectory: original } = site
  const inputs = original === null ? null : inputsOf(cell, site.block, original)
  const paths = copiesOf(cell, site.block, { inputs, folder: site.copiesDirectory })
  const copies = openFreshCopies(paths, signal)
  const measured = siteWithInputs(site, cell.mode, { inputs, copies: paths })
  const hook = hookRunner(cell, measured)
  const measure = betweenHooks(await engine.prepare(cell, measured), { copies, hook, signal })
  let loops = execution.loops === 'auto' ? site.savedLoops : execution.loops
  let isOpen = false
  let endServers = nothingLeft
  return {
    async setUp() {
      // Whatever runs on this host while another measures would be measured with it.
      const hasSetup = execution.hooks.setup !== undefined
      const needsInputs = inputs !== null && inputs.made !== null
      if (hasSetup || copies !== null || needsInputs) await site.launcher()
      signal.throwIfAborted()
      isOpen = true
      if (inputs !== null && original !== null) await makeInputs(inputs, original, signal)
      copies?.begin()
      if (hasSetup) await copies?.renew('warm')
      endServers = await hook('setup', { timeoutSeconds, signal })
    },
    needsLoops: () => loops === null,
    async findLoops(request) {
      const calibrated = await calibrate((tried) => measure({ ...request, loops: tried }))
      return calibrated.outcome === 'good' ? calibrated.loops : null
    },
    useLoops(shared) {
      loops = shared
    },
    measure: (request: SampleRequest) => measure({ ...request, loops: loops ?? 1 }),
    async close() {
      if (!isOpen) return
      isOpen = false
      try {
        await hook('cleanup', { timeoutSeconds, signal: null })
      } finally {
        await endServers()
        await copies?.close()
      }
    },
  }
}
