/** What a remote repository lacks, found by discovery: the first half of a push. */
import { findOutgoing, type Outgoing } from '../changegroup/outgoing.ts'
import { discover } from '../discovery/discover.ts'
import { RevlogError } from '../errors.ts'
import { headRevs } from '../repository/heads.ts'
import type { Repository } from '../repository/open.ts'
import { phaseLookup } from '../repository/phases.ts'
import type { Peer } from './peer.ts'
import { SECRET, servedView } from './served-view.ts'

/** Whom to ask, and about what. */
export interface FindOutgoingToOptions {
  readonly repository: Repository
  readonly peer: Peer
  /** Revisions that matter, with their ancestors; all that may be sent, if not given. */
  readonly revs?: readonly number[]
  /** Unrelated repositories are no reason not to go on. */
  readonly force: boolean
  /** Told what happens, without line ends. */
  readonly say: (line: string) => void
  readonly warn: (line: string) => void
}

/** What there is to send. */
export interface OutgoingTo {
  /** Without secret changesets. */
  readonly outgoing: Outgoing
  /** Heads of what both have. */
  readonly commonHeads: readonly number[]
  /** All heads of the remote, as hexadecimal digits; none if it is empty. */
  readonly remoteHeads: readonly string[]
}

/** Asks the remote what it lacks. Throws `unrelated`. */
export function findOutgoingTo(options: FindOutgoingToOptions): OutgoingTo {
  const { repository, peer, revs, force, say, warn } = options
  const { index } = repository.changelog
  const heads = servedView(repository).heads()
  const { commonHeads, remoteHeads } = discover({ repository, heads, peer })
  if (index.length > 0) say('searching for changes')
  if (commonHeads.length === 0 && remoteHeads.length > 0 && heads.length > 0) {
    if (!force) throw new RevlogError('unrelated', 'repository is unrelated')
    warn('warning: repository is unrelated')
  }
  const all = findOutgoing(index, { bases: commonHeads, heads: revs ?? headRevs(index) })
  const outgoing = servedOnly(repository, all)
  if (outgoing.revs.length === 0) {
    const secrets = all.revs.length
    say(`no changes found${secrets > 0 ? ` (ignored ${secrets} secret changesets)` : ''}`)
  }
  return { outgoing, commonHeads, remoteHeads }
}

/** Without the secret ones, whose descendants are secret too. */
function servedOnly(repository: Repository, outgoing: Outgoing): Outgoing {
  const { phaseOf } = phaseLookup(repository)
  const revs = outgoing.revs.filter((rev) => phaseOf(rev) < SECRET)
  return { revs, isKnown: (rev) => outgoing.isKnown(rev) }
}
