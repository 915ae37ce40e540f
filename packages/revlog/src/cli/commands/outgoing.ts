/**
 * `revlog outgoing` and `incoming`: what another repository lacks, or has more.
 */
import { RevlogError } from '../../errors.ts'
import { utf8ByteString } from '../../format/byte-string.ts'
import { findIncoming } from '../../peer/find-incoming.ts'
import { findOutgoingTo } from '../../peer/find-outgoing-to.ts'
import { incomingChangesets } from '../../peer/incoming-changesets.ts'
import type { Peer } from '../../peer/peer.ts'
import { openRepository } from '../../repository/open.ts'
import { resolveRevisions } from '../../repository/resolve-revisions.ts'
import type { Command, CommandContext, CommandOptions } from '../command.ts'
import { EXIT } from '../exit-status.ts'
import {
  type Direction,
  openPeer,
  REMOTE_OPTIONS,
  type RemotePlace,
  remotePlace,
  sayLine,
  warnLine,
} from '../remote-place.ts'
import { type ShownChangesets, showChangesets } from '../show-changesets.ts'

const OPTIONS: CommandOptions = {
  ...REMOTE_OPTIONS,
  force: { type: 'boolean', short: 'f' },
  rev: { type: 'string', short: 'r', multiple: true },
  limit: { type: 'string', short: 'l' },
  template: { type: 'string', short: 'T' },
}

/** Lists what the other repository lacks. */
export const outgoingCommand: Command = {
  name: 'outgoing',
  options: OPTIONS,
  help: `outgoing [DEST]            show the changesets that another repository lacks
  -f --force               also where the repositories are unrelated
  -r --rev REV [+]         only ancestors of these
  -l --limit N             at most N of them
  -T --template TEMPLATE   as for log
                           -e and --remotecmd as for push`,
  run: (context) => list(context, 'push', ({ peer }) => lackingThere(context, peer)),
}

/** Lists what the other repository has more. */
export const incomingCommand: Command = {
  name: 'incoming',
  options: OPTIONS,
  help: `incoming [SOURCE]          show the changesets that only another repository has
                           options as for outgoing; tags that come only with them are not shown
                           where the other repository is behind ssh`,
  run: (context) => list(context, 'pull', (other) => lackingHere(context, other)),
}

interface Other {
  readonly place: RemotePlace
  readonly peer: Peer
}

/** Nothing to show is undefined. */
type Find = (other: Other) => (ShownChangesets & { close?(): void }) | undefined

function list(context: CommandContext, direction: Direction, find: Find): number {
  const place = remotePlace(context, direction)
  const peer = openPeer(context, place)
  try {
    sayLine(context)(`comparing with ${place.shown}`)
    const found = find({ place, peer })
    if (found === undefined) return EXIT.nothing
    try {
      showChangesets(context, found)
    } finally {
      found.close?.()
    }
    return EXIT.ok
  } finally {
    peer.close()
  }
}

function lackingThere(context: CommandContext, peer: Peer): ShownChangesets | undefined {
  const { args } = context
  const repository = context.repository()
  const specs = args.list('rev')
  const revs = specs.flatMap((spec) => resolveRevisions(repository, spec))
  const { outgoing } = findOutgoingTo({
    ...{ repository, peer, force: args.flag('force') },
    ...(specs.length > 0 ? { revs } : {}),
    ...{ say: sayLine(context), warn: warnLine(context) },
  })
  return outgoing.revs.length === 0 ? undefined : { repository, revs: outgoing.revs }
}

function lackingHere(
  context: CommandContext,
  { place, peer }: Other,
): (ShownChangesets & { close?(): void }) | undefined {
  const { args, access } = context
  const repository = context.repository()
  const [say, warn] = [sayLine(context), warnLine(context)]
  const wanted = args.list('rev').map((name) => peer.lookup(utf8ByteString(name)))
  const force = args.flag('force')
  const incoming = findIncoming({ repository, peer, force, say, warn }, wanted)
  const { common, remoteHeads, hasNew } = incoming
  if (!hasNew) {
    say('no changes found')
    return undefined
  }
  const heads = wanted.length > 0 ? wanted : remoteHeads
  const nothingElse = { phases: false, bookmarks: false, listKeys: [] }
  const parts = peer.getBundle({ common, heads, changegroup: true, ...nothingElse })
  const history = incomingChangesets(repository, parts)
  const first = repository.changelog.length
  const revs = Array.from({ length: history.length - first }, (_, i) => first + i)
  if (place.target.includes('://')) return { repository, history, revs }
  // As in Mercurial: of a repository in a folder its own numbers and names are shown.
  const other = openRepository(place.target, access)
  const there = revs.map((rev) => {
    const found = other.changelog.findRev(Buffer.from(history.nodeHex(rev), 'hex'))
    if (found !== undefined) return found
    throw new RevlogError('unknown-revision', `${place.shown} has lost ${history.nodeHex(rev)}`)
  })
  return { repository: other, revs: there, close: () => other.close() }
}
