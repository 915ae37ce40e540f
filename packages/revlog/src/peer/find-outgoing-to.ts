/** What a remote repository lacks, found by discovery: the first half of a push. */
import { findOutgoing, type Outgoing } from '../changegroup/outgoing.ts'
import { headRevs } from '../repository/heads.ts'
import type { Repository } from '../repository/open.ts'
import { phaseLookup } from '../repository/phases.ts'
import { type AskOptions, askRemote } from './ask-remote.ts'
import { SECRET } from './served-view.ts'

/** Whom to ask, and about what. */
export interface FindOutgoingToOptions extends AskOptions {
  /** Revisions that matter, with their ancestors; all that may be sent, if not given. */
  readonly revs?: readonly number[]
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
  const { repository, revs, say } = options
  const { index } = repository.changelog
  const { commonHeads, remoteHeads } = askRemote(options, (heads) => heads.length > 0)
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
