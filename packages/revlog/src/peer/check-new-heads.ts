/**
 * Refuses a push that would make heads or branches at the remote which nobody asked for, by
 * Mercurial's rule (`hg help push`): no branch may have more heads after the push than before.
 */
import { headsAmong } from '../discovery/discover.ts'
import { locateNodes } from '../discovery/locate-nodes.ts'
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { Repository } from '../repository/open.ts'

/** A push to be checked. */
export interface HeadsToCheck {
  readonly repository: Repository
  /** Revisions that are pushed, ascending. */
  readonly outgoing: readonly number[]
  /** Heads of the remote by branch, in hexadecimal digits. */
  readonly remoteBranches: ReadonlyMap<ByteString, readonly string[]>
  readonly newBranches: boolean
  /** Nodes of bookmarks that the push moves. */
  readonly bookmarked: readonly string[]
  readonly say: (line: string) => void
}

/** Names listed in the message about heads that are not here. */
const LISTED_HEADS = 4

/**
 * Throws `push-refused` in Mercurial's words. Gives the remote's heads on the branches that change,
 * which must still be there when the push arrives.
 */
export function checkNewHeads(push: HeadsToCheck): readonly string[] {
  const { repository, outgoing, remoteBranches } = push
  const byBranch = new Map<ByteString, BranchPush>()
  for (const rev of outgoing) {
    const { branch, closes } = repository.branches.branchOf(rev)
    const ofBranch = byBranch.get(branch) ?? { revs: [], closing: new Set<number>() }
    byBranch.set(branch, ofBranch)
    ofBranch.revs.push(rev)
    if (closes) ofBranch.closing.add(rev)
  }
  refuseNewBranches(push, byBranch)
  const updated: string[] = []
  for (const branch of [...byBranch.keys()].sort()) {
    const remote = remoteBranches.get(branch) ?? []
    const ofBranch = byBranch.get(branch)
    if (ofBranch !== undefined) checkBranch(push, { branch, remote, ...ofBranch })
    updated.push(...remote)
  }
  return updated
}

interface BranchPush {
  readonly revs: number[]
  /** Those that close the branch. */
  readonly closing: Set<number>
}

function refuseNewBranches(
  { remoteBranches, newBranches }: HeadsToCheck,
  byBranch: ReadonlyMap<ByteString, BranchPush>,
): void {
  if (newBranches) return
  const names = [...byBranch].filter(([name]) => !remoteBranches.has(name))
  const made = names.map(([name]) => name).sort()
  if (made.length === 0) return
  const closed = names.filter(([, { revs, closing }]) => closing.has(revs.at(-1) ?? -1)).length
  const note = closed > 0 ? ` (${closed} closed)` : ''
  throw new RevlogError(
    'push-refused',
    `push creates new remote branches: ${made.join(', ')}${note}\n(use 'hg push --new-branch' to create new remote branches)`,
  )
}

interface BranchToCheck extends BranchPush {
  readonly branch: ByteString
  readonly remote: readonly string[]
}

function checkBranch(push: HeadsToCheck, { branch, remote, revs }: BranchToCheck): void {
  const { index } = push.repository.changelog
  const located = locateNodes(index, remote)
  const oldHeads = located.filter((rev) => rev !== undefined)
  const unknown = remote.filter((_hex, i) => located[i] === undefined)
  const newHeads = headsAmong(index, [...oldHeads, ...revs])
  if (unknown.length > 0) sayUnknown(push, branch, unknown)
  const isNew = remote.length === 0
  if (newHeads.length <= (isNew ? 1 : oldHeads.length)) return
  // Heads whose bookmarks move there with them are meant.
  const meant = new Set(push.bookmarked)
  const added = newHeads.filter((rev) => !oldHeads.includes(rev) && !meant.has(index.nodeHex(rev)))
  if (added.length === 0) return
  const hint = `(${unknown.length > 0 ? 'pull and ' : ''}merge or see 'hg help push' for details about pushing new heads)`
  throw new RevlogError('push-refused', `${refusal(push, { branch, isNew, added })}\n${hint}`)
}

interface Refusal {
  readonly branch: ByteString
  readonly isNew: boolean
  readonly added: readonly number[]
}

/** Mercurial's words; it names the first of several heads. */
function refusal({ repository }: HeadsToCheck, { branch, isNew, added }: Refusal): string {
  if (isNew) return `push creates new branch '${branch}' with multiple heads`
  const first = added[0] ?? -1
  const hex = repository.changelog.nodeHex(first)
  const head = `push creates new remote head ${hex.slice(0, 12)}`
  if (branch !== 'default') return `${head} on branch '${branch}'`
  const marks = [...readBookmarkNodes(repository)].filter(([, node]) => node === hex)
  const [mark] = marks.map(([name]) => name)
  return mark === undefined ? head : `${head} with bookmark '${mark}'`
}

function sayUnknown({ say }: HeadsToCheck, branch: ByteString, unknown: readonly string[]): void {
  const short = unknown.map((hex) => hex.slice(0, 12)).sort()
  const listed = short.slice(0, LISTED_HEADS).join(' ')
  const more = short.length > LISTED_HEADS ? ` and ${short.length - LISTED_HEADS} others` : ''
  say(`remote has heads on branch '${branch}' that are not known locally: ${listed}${more}`)
}
