/** What a use-case reports while it works; the apps turn it into progress lines or log entries. */
import type { StopReason } from '@assay/model'

/** A step that a person may want to see. */
export type ProgressEvent =
  | {
      readonly type: 'dataset'
      readonly name: string
      readonly done: number
      readonly total: number
    }
  | {
      readonly type: 'block-taken'
      readonly runId: string
      readonly blockId: string
      readonly savedRounds: number
    }
  | {
      /** Something else is measured on this host. */
      readonly type: 'host-waiting'
      readonly runId: string
      readonly blockId: string
    }
  | {
      readonly type: 'round-saved'
      readonly runId: string
      readonly blockId: string
      readonly round: number
      readonly warmup: boolean
      /** The most rounds this block can take; it may stop before. */
      readonly mostRounds: number
    }
  | {
      readonly type: 'cell-failed'
      readonly runId: string
      readonly cellId: string
      readonly reason: string
    }
  | {
      readonly type: 'cleanup-failed'
      readonly runId: string
      readonly cellId: string
      readonly reason: string
    }
  | {
      readonly type: 'block-finished'
      readonly runId: string
      readonly blockId: string
      readonly stopReason: StopReason
    }
  | {
      readonly type: 'block-given-up'
      readonly runId: string
      readonly blockId: string
      readonly reason: string
    }

/** Receives events; must return at once. */
export type Listener = (event: ProgressEvent) => void
