/**
 * Tags: names that .hgtags of the heads and .hg/localtags give to changesets. Each file is a history:
 * of one name the last line wins, a null node deletes. Where heads disagree, a node that another
 * head's history already left behind loses; otherwise the head that came last wins.
 * The caches that Mercurial keeps beside are used where they fit the changelog, never written.
 */
import { RevlogError } from '../errors.ts'
import { parseFileText } from '../filelog/file-text.ts'
import {
  type ByteString,
  byteString,
  decodeByteString,
  utf8ByteString,
} from '../format/byte-string.ts'
import { NODE_SIZE, NULL_REV } from '../format/constants.ts'
import { findInManifest } from '../manifest/manifest.ts'
import { headRevs } from './heads.ts'
import { splitOnce } from './names.ts'
import type { Repository } from './open.ts'

/** The tracked file that holds the tags. */
const TAGS_FILE = '.hgtags'

/** A name's nodes, oldest first, as hexadecimal digits. */
type TagHistories = Map<ByteString, string[]>

/** Tags by name (UTF-8 byte strings), each with its revision. `tip` is not among them. */
export function readTags(repository: Repository): ReadonlyMap<ByteString, number> {
  const histories = readCachedTags(repository) ?? readHeadsTags(repository)
  const local = repository.metaFile('localtags')
  if (local !== undefined) mergeHistories(histories, parseTags(byteString(local)))
  const tags = new Map<ByteString, number>()
  for (const [name, history] of histories) {
    const rev = repository.changelog.findRev(Buffer.from(history.at(-1) ?? '', 'hex'))
    if (rev !== undefined && rev !== NULL_REV && name !== 'tip') tags.set(name, rev)
  }
  return tags
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

/** The different revisions of .hgtags in the heads, in the order of the heads. */
function tagsFileNodes(repository: Repository): ReadonlySet<string> {
  const cache = repository.metaFile('cache/hgtagsfnodes1')
  const nodes = new Set<string>()
  for (const head of headRevs(repository.changelog.index)) {
    const known = cache === undefined ? undefined : cachedFileNode(repository, cache, head)
    const nodeHex = known ?? manifestFileNode(repository, head)
    if (nodeHex === NO_FILE) continue
    // Seen before: move it to where its last head is.
    nodes.delete(nodeHex)
    nodes.add(nodeHex)
  }
  return nodes
}

const NO_FILE = '0'.repeat(2 * NODE_SIZE)

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
  const { manifestHex } = repository.changeset(rev)
  const manifestRev = repository.manifest.findRev(Buffer.from(manifestHex, 'hex'))
  if (manifestRev === undefined) {
    throw new RevlogError('corrupt', `changeset ${rev}: its manifest ${manifestHex} is missing`)
  }
  return findInManifest(repository.manifest.rawText(manifestRev), TAGS_FILE)?.nodeHex ?? NO_FILE
}

/** Lines `node name`; lines of any other form are skipped, as Mercurial does with a warning. */
function parseTags(text: ByteString): TagHistories {
  const histories: TagHistories = new Map()
  for (const line of text.split('\n')) {
    const [hex, rest] = splitOnce(line, ' ')
    const name = rest?.trim() ?? ''
    if (name === '' || !/^[0-9a-f]{40}$/.test(hex)) continue
    const key = utf8ByteString(decodeByteString(name))
    const history = histories.get(key)
    if (history === undefined) histories.set(key, [hex])
    else history.push(hex)
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

/** The winner's node comes last; the loser's nodes stay as history. */
function mergeHistory(before: readonly string[], later: readonly string[]): string[] {
  const beforeNode = before.at(-1) ?? ''
  const laterNode = later.at(-1) ?? ''
  const superseded =
    laterNode !== beforeNode &&
    before.includes(laterNode) &&
    (!later.includes(beforeNode) || before.length > later.length)
  const history = [...before, ...later].filter((node) => node !== beforeNode && node !== laterNode)
  return superseded
    ? [...history, laterNode, beforeNode]
    : [...history, ...(beforeNode === laterNode ? [] : [beforeNode]), laterNode]
}
