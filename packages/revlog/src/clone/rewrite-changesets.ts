/**
 * A new repository with some changesets of another one, each revision written anew: works for any
 * changesets, in any order of the store, and into any storage format. The changesets go through a
 * changegroup that nobody but this process sees.
 */
import { piecesInput } from '../bytes/byte-input.ts'
import type { Outgoing } from '../changegroup/outgoing.ts'
import { readChangegroup } from '../changegroup/read-changegroup.ts'
import { writeChangegroup } from '../changegroup/write-changegroup.ts'
import { applyChangegroup } from '../exchange/apply-changegroup.ts'
import { updateStore } from '../exchange/store-update.ts'
import { withRepositoryLocks } from '../locks/repository-locks.ts'
import type { Repository } from '../repository/open.ts'
import { type RepositoryFormat, writeEmptyRepository } from '../repository/repository-layout.ts'

/** What to write, and where. */
export interface RewriteOptions {
  readonly source: Repository
  /** A folder that has no repository. */
  readonly destination: string
  /** Changesets with all their ancestors. */
  readonly outgoing: Outgoing
  readonly format: RepositoryFormat
}

const VERSION = '02'

/**
 * Makes the repository, all changesets public and without bookmarks. Throws `unsupported` or
 * `censored` for revisions with flags, what reading a damaged store throws, and `system`.
 */
export function rewriteChangesets(options: RewriteOptions): void {
  const { source, destination, outgoing, format } = options
  writeEmptyRepository(destination, format)
  if (outgoing.revs.length === 0) return
  const pieces = writeChangegroup({ repository: source, outgoing }, VERSION)
  const change = {
    root: destination,
    access: { mode: 'no-mmap' as const },
    description: 'clone',
  }
  withRepositoryLocks(destination, { timeoutSeconds: 0 }, () =>
    updateStore(change, (update) =>
      applyChangegroup(update, readChangegroup(piecesInput(source.root, pieces), VERSION), {
        targetPhase: 0,
        // Copied files are as they are in the source.
        fixSwappedParents: false,
      }),
    ),
  )
}
