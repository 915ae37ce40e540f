/** What a judgement is made from: a run, its plan, and every good or bad sample of judged takes. */

import type { SamplePairing } from './plan.ts'
import type { CellStatus, PlannedRun, StopReason } from './run.ts'
import type { Outcome } from './sample.ts'

/** One sample as evidence: pairs are formed by round. */
export interface EvidenceSample {
  readonly round: number
  readonly position: number
  readonly outcome: Outcome
  /** The judged metric's value; null where this sample does not have it. */
  readonly value: number | null
  /** Inner repeats, of which times are for one. */
  readonly loops: number
  /** Processes that the child left behind, which were killed; absent where there were none. */
  readonly stragglers?: number
}

/** A cell with its judged samples, warmups left out, in the order of rounds. */
export interface EvidenceCell {
  readonly cellId: string
  readonly status: CellStatus
  readonly reason: string | null
  /** Why its hook cleanup failed; absent where it did not. */
  readonly cleanupFault?: string
  readonly samples: readonly EvidenceSample[]
}

/** A block's judged take. */
export interface EvidenceBlock {
  readonly blockId: string
  readonly stopReason: StopReason | null
  /** Digest of the fingerprint of the judged take, or null if nothing was measured. */
  readonly fingerprint: string | null
  readonly cells: readonly EvidenceCell[]
}

/** A run as far as it was measured. */
export interface Evidence {
  readonly run: PlannedRun
  readonly metric: { readonly name: string; readonly unit: string }
  /** Absent: paired. */
  readonly pairing?: SamplePairing
  readonly blocks: readonly EvidenceBlock[]
}
