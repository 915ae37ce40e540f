/** What a kind of source is: a declaration for campaigns, and how its repository comes here. */
import type { DatasetSource, SourceDeclaration } from '@assay/model'

/** Where a repository is to be put, and what may stop it. */
export interface SourceSite {
  /** The repository's folder; it is not there yet. */
  readonly directory: string
  /** A folder for whatever else is needed on the way; it goes with all that is in it. */
  readonly scratch: string
  readonly signal?: AbortSignal | undefined
}

/** An entry of the registry of sources. */
export interface SourceKind extends SourceDeclaration {
  /** What tells one dataset of this kind from another: JSON values. */
  keyOf(source: DatasetSource): unknown
  /** Brings the repository: history only, without configuration. Rejects with what a person can act on. */
  fetch(source: DatasetSource, site: SourceSite): Promise<void>
}
