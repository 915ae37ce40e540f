/**
 * Which undecided changesets to ask a remote repository about next: the heads and roots of what is
 * undecided, some at doubling distances below the heads, the rest by chance. Pure and seeded.
 */
import { NULL_REV } from '../format/constants.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'

/** What to choose from. */
export interface SampleRequest {
  readonly index: Pick<RevlogIndex, 'p1' | 'p2'>
  /** Undecided revisions, ascending; closed under going down to the roots among them. */
  readonly undecided: readonly number[]
  /** At most this many are chosen. */
  readonly size: number
  /** Gives numbers in 0..1. */
  readonly random: () => number
}

/** The revisions to ask about, without repetition. */
export function chooseSample({ index, undecided, size, random }: SampleRequest): number[] {
  if (undecided.length <= size) return [...undecided]
  const among = new Set(undecided)
  const parents = new Set<number>()
  const roots: number[] = []
  for (const rev of undecided) {
    const inside = [index.p1(rev), index.p2(rev)].filter((at) => at !== NULL_REV && among.has(at))
    if (inside.length === 0) roots.push(rev)
    for (const at of inside) parents.add(at)
  }
  const heads = undecided.filter((rev) => !parents.has(rev))
  const chosen = new Set<number>()
  const add = (revs: readonly number[], limit: number): void => {
    for (const rev of revs) if (chosen.size < limit) chosen.add(rev)
  }
  // A third at most for each kind, so that chance always has its share.
  add(heads.reverse(), Math.floor(size / 3))
  add(roots, Math.floor((2 * size) / 3))
  for (let step = 1; step < undecided.length; step *= 2) {
    add(undecided.slice(-1 - step, -step), Math.floor((5 * size) / 6))
  }
  while (chosen.size < size) {
    const rev = undecided[Math.floor(random() * undecided.length)]
    if (rev !== undefined) chosen.add(rev)
  }
  return [...chosen]
}
