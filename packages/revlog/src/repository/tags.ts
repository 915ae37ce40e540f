/**
 * Tags: names that .hgtags of the heads and .hg/localtags give to changesets. Each file is a history:
 * of one name the last line wins, a null node deletes. Where heads disagree, a node that another
 * head's history already left behind loses; otherwise the head that came last wins. What the merged
 * history then holds decides later disagreements and was found by comparing with what `hg` shows.
 * The caches that Mercurial keeps beside are used where they fit the changelog, never written.
 */
import { RevlogError } from '../errors.ts'
import { parseFileText } from '../filelog/file-text.ts'
import {
  type ByteString,
  byteString,
  decodeByteString,
  stripBytes,
  utf8ByteString,
} from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'
import { findInManifest } from '../manifest/manifest.ts'
import { headRevs } from './heads.ts'
import { revsOf, splitOnce } from './names.ts'
import type { Repository } from './open.ts'

/** The tracked file that holds the tags. */
const TAGS_FILE = '.hgtags'

/** Deletes a tag; as a file's node it says that there is no such file. */
const NULL_NODE_HEX = '0'.repeat(2 * NODE_SIZE)

/** What one name stands for, as hexadecimal digits, and the nodes that it stood for before. */
interface TagHistory {
  nodeHex: string
  readonly older: string[]
}

type TagHistories = Map<ByteString, TagHistory>

/** Tags by name (UTF-8 byte strings), each with its revision. `tip` is not among them. */
export function readTags(repository: Repository): ReadonlyMap<ByteString, number> {
  return revsOf(repository, readTagNodes(repository))
}

/** Tags by name, each with its node in hexadecimal digits, which may be of no changeset here. */
export function readTagNodes(repository: Repository): ReadonlyMap<ByteString, string> {
  const histories = readCachedTags(repository) ?? readHeadsTags(repository)
  const local = repository.metaFile('localtags')
  if (local !== undefined) mergeHistories(histories, readLocalTags(repository, local))
  const tags = new Map<ByteString, string>()
  for (const [name, { nodeHex }] of histories) {
    if (nodeHex !== NULL_NODE_HEX && name !== 'tip') tags.set(name, nodeHex)
  }
  return tags
}

/** Local tags. One whose changeset is not here, as after a strip, does not hide the global tag. */
function readLocalTags(repository: Repository, bytes: Uint8Array): TagHistories {
  const histories = parseTags(byteString(bytes))
  for (const [name, { nodeHex }] of histories) {
    const node = Buffer.from(nodeHex, 'hex')
    if (repository.changelog.findRev(node) === undefined) histories.delete(name)
  }
  return histories
}

/**
 * The tags of all heads from .hg/cache/tags2-visible, whose first line names the tip that they were
 * made for. A third word there would mean that changesets are hidden: then it is not used.
 */
function readCachedTags(repository: Repository): TagHistories | undefined {
  const cache = repository.metaFile('cache/tags2-visible')
  if (cache === undefined) return undefined
  const [head, rest] = splitOnce(byteString(cache), '\n')
  const { changelog } = repository
  const tip = changelog.length - 1
  if (rest === undefined || tip < 0 || head !== `${tip} ${changelog.index.nodeHex(tip)}`) {
    return undefined
  }
  return parseTags(rest)
}

function readHeadsTags(repository: Repository): TagHistories {
  const histories: TagHistories = new Map()
  if (!repository.hasFilelog(TAGS_FILE)) return histories
  const filelog = repository.filelog(TAGS_FILE)
  try {
    for (const nodeHex of tagsFileNodes(repository)) {
      const rev = filelog.findRev(Buffer.from(nodeHex, 'hex'))
      if (rev === undefined) {
        throw new RevlogError('corrupt', `${TAGS_FILE}: revision ${nodeHex} is missing`)
      }
      mergeHistories(histories, parseTags(byteString(parseFileText(filelog.rawText(rev)).content)))
    }
  } finally {
    filelog.close()
  }
  return histories
}

/** The different revisions of .hgtags in the heads, each at the place of its first head. */
function tagsFileNodes(repository: Repository): ReadonlySet<string> {
  const cache = repository.metaFile('cache/hgtagsfnodes1')
  const nodes = new Set<string>()
  for (const head of headRevs(repository.changelog.index)) {
    const known = cache === undefined ? undefined : cachedFileNode(repository, cache, head)
    const nodeHex = known ?? manifestFileNode(repository, head)
    if (nodeHex !== NULL_NODE_HEX) nodes.add(nodeHex)
  }
  return nodes
}

/** A record of hgtagsfnodes1: the first bytes of the changeset's node, then the file's node. */
const PREFIX_SIZE = 4
const RECORD_SIZE = PREFIX_SIZE + NODE_SIZE

/** The cached node of .hgtags in a changeset; undefined if its record is missing or of another one. */
function cachedFileNode(repository: Repository, cache: Buffer, rev: number): string | undefined {
  const at = rev * RECORD_SIZE
  if (at + RECORD_SIZE > cache.length) return undefined
  if (cache.readUInt32BE(at) !== repository.changelog.index.nodeWord(rev)) return undefined
  const nodeHex = cache.toString('hex', at + PREFIX_SIZE, at + RECORD_SIZE)
  return /^f+$/.test(nodeHex) ? undefined : nodeHex
}

function manifestFileNode(repository: Repository, rev: number): string {
  return findInManifest(repository.manifestText(rev), TAGS_FILE)?.nodeHex ?? NULL_NODE_HEX
}

/** Lines `node name`; lines of any other form are skipped, as Mercurial does with a warning. */
function parseTags(text: ByteString): TagHistories {
  const histories: TagHistories = new Map()
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [hex, rest] = splitOnce(line, ' ')
    const name = stripBytes(rest ?? '')
    if (name === '' || !/^[0-9a-fA-F]{40}$/.test(hex)) continue
    const key = utf8ByteString(decodeByteString(name))
    const nodeHex = hex.toLowerCase()
    const history = histories.get(key)
    if (history === undefined) {
      histories.set(key, { nodeHex, older: [] })
    } else {
      history.older.push(history.nodeHex)
      history.nodeHex = nodeHex
    }
  }
  return histories
}

/** Adds a later file's histories to those so far. */
function mergeHistories(into: TagHistories, later: TagHistories): void {
  for (const [name, history] of later) {
    const before = into.get(name)
    into.set(name, before === undefined ? history : mergeHistory(before, history))
  }
}

/** Nodes left behind by either side are remembered; the node that loses here is not. */
function mergeHistory(before: TagHistory, later: TagHistory): TagHistory {
  const alreadyLeftBehind =
    later.nodeHex !== before.nodeHex &&
    before.older.includes(later.nodeHex) &&
    (!later.older.includes(before.nodeHex) || before.older.length > later.older.length)
  const known = new Set(later.older)
  return {
    nodeHex: alreadyLeftBehind ? before.nodeHex : later.nodeHex,
    older: [...later.older, ...before.older.filter((node) => !known.has(node))],
  }
}
