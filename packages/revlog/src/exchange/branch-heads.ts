/**
 * The open heads of one branch after a change, for the advice that follows it. Mercurial's own cache
 * of branch heads is taken where it fits the history before the change; else every changeset is read.
 */
import { branchOf, parseChangeset } from '../changelog/changeset.ts'
import type { ByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { BranchOfRev } from '../repository/branch-lookup.ts'
import type { GrowingIndex } from '../writer/growing-index.ts'
import type { StoreUpdate } from './store-update.ts'

/** The branch that the working directory is on. */
export function workingBranch({ repository }: StoreUpdate): ByteString {
  const text = repository.metaFile('branch')?.toString('latin1').trim() ?? ''
  return text === '' ? 'default' : text
}

/** How many heads of the branch are open. */
export function openBranchHeads(update: StoreUpdate, branch: ByteString): number {
  const { changelog } = update
  const { branches } = update.repository
  const cached = cachedHeads(update, branch)
  /** By revision, whether it closes the branch. */
  const candidates = new Map<number, boolean>(cached ?? [])
  const first = cached === undefined ? 0 : changelog.index.oldLength
  for (let rev = first; rev < changelog.length; rev++) {
    const at = rev < changelog.index.oldLength ? branches.branchOf(rev) : newBranch(update, rev)
    if (at.branch === branch) candidates.set(rev, at.closes)
  }
  const inner = ancestorsAmong(changelog.index, [...candidates.keys()])
  return [...candidates].filter(([rev, closed]) => !closed && !inner.has(rev)).length
}

function newBranch({ changelog }: StoreUpdate, rev: number): BranchOfRev {
  const changeset = parseChangeset(changelog.text(rev))
  return { branch: branchOf(changeset), closes: changeset.extra.has('close') }
}

/** Those of the revisions that another one of them descends from. */
function ancestorsAmong(index: GrowingIndex, revs: readonly number[]): ReadonlySet<number> {
  const wanted = new Set(revs)
  const first = revs.reduce((least, rev) => Math.min(least, rev), index.length)
  /** Revisions from `first` on that a wanted one descends from. */
  const seen = new Uint8Array(index.length - first)
  const inner = new Set<number>()
  for (let rev = index.length - 1; rev >= first; rev--) {
    const isAncestor = seen[rev - first] === 1
    if (!isAncestor && !wanted.has(rev)) continue
    if (isAncestor && wanted.has(rev)) inner.add(rev)
    for (const parent of [index.p1(rev), index.p2(rev)]) {
      if (parent >= first) seen[parent - first] = 1
    }
  }
  return inner
}

/** Mercurial's caches, the one that leaves out less first. */
const CACHES = ['branch2-visible', 'branch2-served'] as const

/** The branch's heads before the change, each with whether it is closed. */
function cachedHeads(
  { repository, changelog }: StoreUpdate,
  branch: ByteString,
): Map<number, boolean> | undefined {
  const tip = changelog.index.oldLength - 1
  if (tip < 0) return new Map()
  for (const name of CACHES) {
    const text = repository.metaFile(`cache/${name}`)?.toString('latin1')
    const [head, ...lines] = text?.split('\n') ?? []
    // A third word stands for changesets that the cache leaves out.
    if (head !== `${changelog.index.nodeHex(tip)} ${tip}`) continue
    const heads = new Map<number, boolean>()
    for (const line of lines) {
      const [, hex, state, lineBranch] = /^([0-9a-f]{40}) ([oc]) (.*)$/.exec(line) ?? []
      if (hex === undefined || lineBranch !== branch) continue
      const rev = changelog.index.findRev(Buffer.from(hex, 'hex'))
      if (rev === undefined || rev === NULL_REV) return undefined
      heads.set(rev, state === 'c')
    }
    return heads
  }
  return undefined
}
