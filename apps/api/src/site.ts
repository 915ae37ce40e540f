/** What the routes need: the store, the queue, and the deliveries that workers hold over HTTP. */
import type { Catalogue } from '@assay/model'
import type { StartRunSite } from '@assay/orchestrator'
import type { Deliveries } from './deliveries.ts'

export interface ApiSite extends StartRunSite {
  readonly catalogue: Catalogue
  readonly deliveries: Deliveries
  /** The folder of campaigns that a run can name. */
  readonly campaignsDirectory: string
  /** How long a take holds without being renewed. */
  readonly leaseMillis: number
  /** A token of a take: the right to write its rounds. */
  readonly newToken: () => string
  /** An unpredictable whole number from 0 to below its bound. */
  readonly randomBelow: (bound: number) => number
  /** Hash of the token of the server's own worker. */
  readonly workerTokenHash: string
  /** Whether the server listens for other machines. */
  readonly isPublic: boolean
}
