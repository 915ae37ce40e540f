/** What the routes need: the store, the queue, and the deliveries that workers hold over HTTP. */
import type { Catalogue } from '@assay/model'
import type { StartRunSite } from '@assay/orchestrator'
import type { Deliveries } from './deliveries.ts'

export interface ApiSite extends StartRunSite {
  readonly catalogue: Catalogue
  readonly deliveries: Deliveries
  /** The folder of campaigns that a run can name. */
  readonly campaignsDirectory: string
  readonly newToken: () => string
}
