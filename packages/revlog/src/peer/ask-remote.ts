/** What this repository and a remote one have in common, as a push or a pull asks it and tells of it. */
import { type Discovered, discover } from '../discovery/discover.ts'
import { RevlogError } from '../errors.ts'
import type { Repository } from '../repository/open.ts'
import type { Peer } from './peer.ts'
import { servedView } from './served-view.ts'

/** Whom to ask. */
export interface AskOptions {
  readonly repository: Repository
  readonly peer: Peer
  /** Unrelated repositories are no reason not to go on. */
  readonly force: boolean
  /** Told what happens, without line ends. */
  readonly say: (line: string) => void
  readonly warn: (line: string) => void
}

/**
 * Asks the remote. Two repositories that both have changesets and share none are unrelated;
 * `hasOwn` says, by the visible heads, whether this one has any. Throws `unrelated`.
 */
export function askRemote(
  { repository, peer, force, say, warn }: AskOptions,
  hasOwn: (heads: readonly number[]) => boolean,
): Discovered {
  const heads = servedView(repository).heads()
  const found = discover({ repository, heads, peer })
  if (repository.changelog.length > 0) say('searching for changes')
  if (found.commonHeads.length === 0 && found.remoteHeads.length > 0 && hasOwn(heads)) {
    if (!force) throw new RevlogError('unrelated', 'repository is unrelated')
    warn('warning: repository is unrelated')
  }
  return found
}
