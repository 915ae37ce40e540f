/**
 * The heads of each branch, as branchmap gives them: closed ones with them. Mercurial's cache of them
 * (.hg/cache/branch2-served) is taken where it is of this very history; else every changeset's branch
 * is asked for.
 */

import { headsAmong } from '../discovery/discover.ts'
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import type { Repository } from '../repository/open.ts'
import type { ServedView } from './served-view.ts'

/** Heads by branch, in hexadecimal digits, the branches in byte order. */
export function branchHeads(
  repository: Repository,
  served: ServedView,
): ReadonlyMap<ByteString, readonly string[]> {
  return cachedBranchHeads(repository, served) ?? countedBranchHeads(repository, served)
}

function cachedBranchHeads(
  repository: Repository,
  { isServed }: ServedView,
): ReadonlyMap<ByteString, readonly string[]> | undefined {
  const { index, length } = repository.changelog
  const tip = length - 1
  const text = repository.metaFile('cache/branch2-served')?.toString('latin1') ?? ''
  const [head, ...lines] = text.split('\n')
  // A third word stands for changesets that the cache leaves out.
  if (tip < 0 || !isServed(tip) || head !== `${index.nodeHex(tip)} ${tip}`) return undefined
  const heads = new Map<ByteString, string[]>()
  for (const line of lines) {
    const [, hex, branch] = /^([0-9a-f]{40}) [oc] (.*)$/.exec(line) ?? []
    if (hex === undefined || branch === undefined) continue
    const ofBranch = heads.get(branch) ?? []
    heads.set(branch, ofBranch)
    ofBranch.push(hex)
  }
  return heads
}

function countedBranchHeads(
  repository: Repository,
  { isServed }: ServedView,
): ReadonlyMap<ByteString, readonly string[]> {
  const { index, length } = repository.changelog
  const candidates = new Map<ByteString, Set<number>>()
  for (let rev = 0; rev < length; rev++) {
    if (!isServed(rev)) continue
    const { branch } = repository.branches.branchOf(rev)
    const ofBranch = candidates.get(branch) ?? new Set()
    candidates.set(branch, ofBranch)
    ofBranch.add(rev).delete(index.p1(rev))
    ofBranch.delete(index.p2(rev))
  }
  const heads = new Map<ByteString, readonly string[]>()
  for (const branch of [...candidates.keys()].sort()) {
    const revs = candidates.get(branch)
    if (revs === undefined) throw new RevlogError('corrupt', `branch ${branch} has no changeset`)
    // Children on another branch may stand between two heads of this one.
    heads.set(
      branch,
      headsAmong(index, revs).map((rev) => index.nodeHex(rev)),
    )
  }
  return heads
}
