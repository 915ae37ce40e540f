/**
 * The port of an engine: it says what it can run, makes a cell ready, and takes one sample at a
 * time. Most engines describe a child and let the launcher measure it; the fake engine of the
 * tests plays samples back, so that all above it can be tested exactly.
 */
import type { Launcher } from '@assay/measure'
import type { EngineDeclaration, PlannedBlock, PlannedCell, Sample, Sampling } from '@assay/model'

/** What one measurement yields; its place in a round is added by whoever asked for it. */
export type Measurement = Omit<Sample, 'cellId' | 'position'>

/** Where a cell is measured. */
export interface Site {
  readonly block: PlannedBlock
  /**
   * The dataset that samples read, or null where the engine or benchmark needs none. Of a cell with
   * fresh copies, an engine is given the copy's path, where nothing lies before the first sample.
   */
  readonly datasetDirectory: string | null
  /** An empty folder of this cell's own: the child's home and its captured output. */
  readonly scratchDirectory: string
  /** Where copies of its dataset go, on the dataset's file system; made when it is needed. */
  readonly copiesDirectory: string
  /** Where the command of `exec` and hooks start. */
  readonly workingDirectory: string
  /** The longest that the hooks setup and cleanup may take. */
  readonly timeoutSeconds: number
  /** The inner repeats that this cell's block was calibrated to before; null if it was not. */
  readonly savedLoops: number | null
  /** Processors that children are kept to, as the kernel lists them (`0,2-3`); null: all. */
  readonly cpus: string | null
  /** Stops what goes on between two children. */
  readonly signal: AbortSignal
  /** The block's launcher, opened under the host lock when first asked for. */
  launcher(): Promise<Launcher>
}

/** Where on this host a command finds what it works on; null for what it has not. */
export interface CommandPlaces {
  /** Name of the benchmark that the command is for. */
  readonly benchmark: string
  /** The access mode, for the other side's program too. */
  readonly mode: string
  readonly dataset: string | null
  /** The other repository. */
  readonly remote: string | null
  /** A file with the revisions that the dataset lacks. */
  readonly bundle: string | null
  /** Heads among those revisions, by their nodes; none before the inputs are made. */
  extraHeads(): readonly string[]
  /** An empty folder that may be written into. */
  readonly scratch: string | null
}

/** Where a cell is measured, with its inputs; they lie there when the first sample is taken. */
export interface EngineSite extends Site {
  readonly places: CommandPlaces
}

/** What differs between two samples of a cell. */
export interface SampleRequest {
  /** Round number from 1; warmups count for themselves. 0: a trial for the number of repeats. */
  readonly round: number
  readonly warmup: boolean
  readonly stackPaddingBytes: number
  readonly timeoutSeconds: number
  /** Whether the dataset's pages are dropped first. */
  readonly cache: Sampling['cache']
}

/** What an engine is asked for: one sample, with that many inner repeats. */
export interface EngineRequest extends SampleRequest {
  readonly loops: number
}

/** A cell as its engine measures it: the child alone, nothing around it. */
export interface EngineCell {
  /** Takes one sample. Rejects only if measuring itself broke, never because the child failed. */
  measure(request: EngineRequest): Promise<Measurement>
}

/** A cell that is ready to be measured. */
export interface MeasurableCell {
  /** Takes one sample. Rejects only if measuring itself broke, never because the child failed. */
  measure(request: SampleRequest): Promise<Measurement>
}

/** Something that executes benchmarks. */
export interface Engine extends EngineDeclaration {
  /** Whether it reads the dataset's files, so that they must be prepared first. */
  readonly readsDataset: boolean
  /**
   * Digest of the build that would execute now: what was measured by another build is not
   * continued. Null for engines that have no build.
   */
  buildDigest(): Promise<string | null>
  /**
   * The command line of one sample, for a person who wants to see it happen; null where no program
   * is started.
   */
  commandLine(cell: PlannedCell, places: CommandPlaces): readonly string[] | null
  /** Makes a cell ready; rejects with `AssayError` of kind `unmeasurable` when it cannot. */
  prepare(cell: PlannedCell, site: EngineSite): Promise<EngineCell>
}
