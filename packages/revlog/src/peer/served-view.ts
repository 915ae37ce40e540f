/**
 * What of a repository others may see: all but its secret changesets (`hg help phases`).
 */
import { headRevs } from '../repository/heads.ts'
import type { Repository } from '../repository/open.ts'
import { phaseLookup, readRoots } from '../repository/phases.ts'

/** From this phase on changesets are not exchanged. */
export const SECRET = 2

/** The visible part of a repository. */
export interface ServedView {
  isServed(rev: number): boolean
  /** Heads of the visible part, ascending. */
  heads(): readonly number[]
}

/** The part as it is now. */
export function servedView(repository: Repository): ServedView {
  const { index } = repository.changelog
  const hasSecrets = [...readRoots(repository).values()].some((phase) => phase >= SECRET)
  if (!hasSecrets) return { isServed: () => true, heads: () => headRevs(index) }
  const { phaseOf } = phaseLookup(repository)
  const isServed = (rev: number): boolean => phaseOf(rev) < SECRET
  return {
    isServed,
    heads() {
      const hasChild = new Uint8Array(index.length)
      const heads: number[] = []
      for (let rev = index.length - 1; rev >= 0; rev--) {
        if (!isServed(rev)) continue
        if (hasChild[rev] === 0) heads.push(rev)
        for (const parent of [index.p1(rev), index.p2(rev)]) if (parent >= 0) hasChild[parent] = 1
      }
      return heads.reverse()
    },
  }
}
