/**
 * Which bookmarks follow an exchange, by Mercurial's rules (`hg help bookmarks`): on a push those that
 * both sides have and that moved forward here; on a pull those that are new, or moved forward there;
 * what moved on both sides is kept under a second name.
 */
import { locateNodes } from '../discovery/locate-nodes.ts'
import type { ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { Repository } from '../repository/open.ts'

/** A bookmark to move at the remote. */
export interface PushedBookmark {
  readonly name: ByteString
  readonly hex: string
  /** Where the remote has it. */
  readonly remoteHex: string
  readonly isNew: boolean
}

/** What the two sides need to know of a history. */
export interface History {
  p1(rev: number): number
  p2(rev: number): number
}

/** Bookmarks that go with a push of the ancestors of `pushedHeads`. */
export function bookmarksToPush(
  repository: Repository,
  remote: ReadonlyMap<ByteString, string>,
  pushedHeads: readonly number[],
): readonly PushedBookmark[] {
  if (remote.size === 0) return []
  const { index } = repository.changelog
  const moved = [...readBookmarkNodes(repository)].filter(
    ([name, hex]) => (remote.get(name) ?? hex) !== hex,
  )
  const pushed: PushedBookmark[] = []
  for (const [name, hex] of moved.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const remoteHex = remote.get(name) ?? ''
    const [here, there] = locateNodes(index, [hex, remoteHex])
    if (here === undefined || there === undefined) continue
    const goesAlong = pushedHeads.some((head) => isAncestor(index, here, head))
    if (goesAlong && isAncestor(index, there, here)) {
      pushed.push({ name, hex, remoteHex, isNew: false })
    }
  }
  return pushed
}

/** What a pull does to a bookmark. */
export interface PulledBookmark {
  /** The local name, which is another one for what moved on both sides. */
  readonly name: ByteString
  readonly hex: string
  readonly message: string
  /** Whether the message is a warning. */
  readonly diverged: boolean
}

/** What a pull compares. */
export interface BookmarksToPull {
  readonly history: History
  readonly local: ReadonlyMap<ByteString, string>
  readonly remote: ReadonlyMap<ByteString, string>
  readonly revOf: (hex: string) => number | undefined
  /** Ends the second name of what moved on both sides, after an @; a number if not given. */
  readonly pathName?: string
}

/** Bookmarks that follow a pull, by name. */
export function bookmarksToPull(options: BookmarksToPull): readonly PulledBookmark[] {
  const { history, local, remote, revOf } = options
  const pulled: PulledBookmark[] = []
  for (const [name, hex] of [...remote].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const localHex = local.get(name)
    const there = revOf(hex)
    if (there === undefined || localHex === hex) continue
    const here = localHex === undefined ? undefined : revOf(localHex)
    if (localHex === undefined || here === undefined) {
      pulled.push({ name, hex, message: `adding remote bookmark ${name}`, diverged: false })
    } else if (isAncestor(history, here, there)) {
      pulled.push({ name, hex, message: `updating bookmark ${name}`, diverged: false })
    } else if (!isAncestor(history, there, here)) {
      pulled.push(divergedBookmark(options, name, hex))
    }
  }
  return pulled.filter(({ name, hex }) => local.get(name) !== hex)
}

function divergedBookmark(
  { local, pathName }: BookmarksToPull,
  name: ByteString,
  hex: string,
): PulledBookmark {
  const base = name === '@' ? '' : name
  const numbered = (): string => {
    let number = 1
    while ((local.get(`${base}@${number}`) ?? hex) !== hex) number++
    return `${number}`
  }
  const second = `${base}@${pathName ?? numbered()}`
  const message = `divergent bookmark ${name} stored as ${second}`
  return { name: second, hex, message, diverged: true }
}

/** Whether `rev` is `of` or an ancestor of it. */
function isAncestor(history: History, rev: number, of: number): boolean {
  if (rev === of || rev === NULL_REV) return true
  const seen = new Set<number>()
  const waiting = [of]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === rev) return true
    if (at < rev || seen.has(at)) continue
    seen.add(at)
    waiting.push(history.p1(at), history.p2(at))
  }
  return false
}
