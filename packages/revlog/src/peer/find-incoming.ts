/** What a remote repository has more, found by discovery: the first half of a pull. */
import { discover } from '../discovery/discover.ts'
import { locateNodes } from '../discovery/locate-nodes.ts'
import { RevlogError } from '../errors.ts'
import type { Repository } from '../repository/open.ts'
import type { Peer } from './peer.ts'
import { servedView } from './served-view.ts'

/** Whom to ask. */
export interface FindIncomingOptions {
  readonly repository: Repository
  readonly peer: Peer
  /** Unrelated repositories are no reason not to go on. */
  readonly force: boolean
  /** Told what happens, without line ends. */
  readonly say: (line: string) => void
  readonly warn: (line: string) => void
}

/** What there is; nodes in hexadecimal digits. */
export interface Incoming {
  /** Heads of what both have, as far as it matters. */
  readonly common: readonly string[]
  readonly remoteHeads: readonly string[]
  /** Whether there are changesets to fetch. */
  readonly hasNew: boolean
}

/**
 * Asks the remote what is to be fetched; with `wanted` nodes only these and their ancestors. Throws
 * `unrelated`.
 */
export function findIncoming(
  { repository, peer, force, say, warn }: FindIncomingOptions,
  wanted: readonly string[],
): Incoming {
  const { changelog } = repository
  const { index } = changelog
  if (wanted.length > 0 && !locateNodes(index, wanted).includes(undefined)) {
    return { common: wanted, remoteHeads: wanted, hasNew: false }
  }
  const heads = servedView(repository).heads()
  const found = discover({ repository, heads, peer })
  if (index.length > 0) say('searching for changes')
  const common = found.commonHeads.map((rev) => changelog.nodeHex(rev))
  if (common.length === 0 && index.length > 0 && found.remoteHeads.length > 0) {
    if (!force) throw new RevlogError('unrelated', 'repository is unrelated')
    warn('warning: repository is unrelated')
  }
  const lacking = locateNodes(index, wanted.length > 0 ? wanted : found.remoteHeads)
  const hasNew = lacking.includes(undefined)
  return { common, remoteHeads: found.remoteHeads, hasNew }
}
