/** A step of a perf command: what is run, under which name. */

/** One step. */
export interface PerfStep {
  /** Undefined where the command has one step only. */
  readonly title: string | undefined
  /** Makes ready for a run, unmeasured. */
  readonly setUp?: () => void
  /** Runs it once, everything that is to be measured and nothing else. */
  readonly run: () => unknown
  /** No more runs than this, whatever the limits say. */
  readonly maxRuns?: number
}
