/** What a remote repository has more, found by discovery: the first half of a pull. */
import { locateNodes } from '../discovery/locate-nodes.ts'
import { type AskOptions, askRemote } from './ask-remote.ts'

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
export function findIncoming(options: AskOptions, wanted: readonly string[]): Incoming {
  const { changelog } = options.repository
  const { index } = changelog
  if (wanted.length > 0 && !locateNodes(index, wanted).includes(undefined)) {
    return { common: wanted, remoteHeads: wanted, hasNew: false }
  }
  // Secret changesets count as well.
  const { commonHeads, remoteHeads } = askRemote(options, () => index.length > 0)
  const common = commonHeads.map((rev) => changelog.nodeHex(rev))
  const lacking = locateNodes(index, wanted.length > 0 ? wanted : remoteHeads)
  const hasNew = lacking.includes(undefined)
  return { common, remoteHeads, hasNew }
}
