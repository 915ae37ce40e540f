/**
 * What is known so far of which local changesets a remote repository has: some it has, with all their
 * ancestors; some it lacks, with all their descendants; the rest is undecided. Pure: asking is left
 * to discover.ts.
 */
import { NULL_REV } from '../format/constants.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'

const UNDECIDED = 0
const COMMON = 1
const MISSING = 2

/** Local changesets by whether a remote repository has them. */
export class Undecided {
  readonly #index: Pick<RevlogIndex, 'p1' | 'p2'>
  readonly #states: Uint8Array
  /** No revision from here on is undecided, and none before #low. */
  #high: number
  #low = 0

  /** All `heads` and their ancestors are undecided at first; nothing else is ever asked for. */
  constructor(index: Pick<RevlogIndex, 'p1' | 'p2'>, heads: readonly number[]) {
    this.#index = index
    this.#high = Math.max(NULL_REV, ...heads) + 1
    this.#states = new Uint8Array(this.#high).fill(MISSING)
    for (const head of heads) if (head !== NULL_REV) this.#states[head] = UNDECIDED
    for (let rev = this.#high - 1; rev >= 0; rev--) {
      if (this.#states[rev] === UNDECIDED) this.#parents(rev, (at) => this.#set(at, UNDECIDED))
    }
  }

  /** Notes that the remote has these, and so their ancestors. */
  addCommon(revs: readonly number[]): void {
    const waiting = [...revs]
    for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
      if (rev >= this.#states.length || this.#states[rev] === COMMON) continue
      this.#set(rev, COMMON)
      this.#parents(rev, (at) => waiting.push(at))
    }
  }

  /** Notes that the remote lacks these, and so their descendants. */
  addMissing(revs: readonly number[]): void {
    let first = this.#high
    for (const rev of revs) {
      this.#set(rev, MISSING)
      first = Math.min(first, rev)
    }
    const lacking = new Uint8Array(this.#states.length)
    for (const rev of revs) lacking[rev] = 1
    for (let rev = first + 1; rev < this.#high; rev++) {
      this.#parents(rev, (at) => {
        if (lacking[at] === 1) lacking[rev] = 1
      })
      if (lacking[rev] === 1 && this.#states[rev] === UNDECIDED) this.#set(rev, MISSING)
    }
  }

  /** The undecided revisions in ascending order. */
  revs(): number[] {
    while (this.#high > 0 && this.#states[this.#high - 1] !== UNDECIDED) this.#high--
    while (this.#low < this.#high && this.#states[this.#low] !== UNDECIDED) this.#low++
    const revs: number[] = []
    for (let rev = this.#low; rev < this.#high; rev++) {
      if (this.#states[rev] === UNDECIDED) revs.push(rev)
    }
    return revs
  }

  /** The common revisions that no other common one descends from, ascending. */
  commonHeads(): number[] {
    const hasChild = new Uint8Array(this.#states.length)
    const heads: number[] = []
    for (let rev = this.#states.length - 1; rev >= 0; rev--) {
      if (this.#states[rev] !== COMMON) continue
      if (hasChild[rev] === 0) heads.push(rev)
      this.#parents(rev, (at) => {
        hasChild[at] = 1
      })
    }
    return heads.reverse()
  }

  #set(rev: number, state: number): void {
    this.#states[rev] = state
  }

  #parents(rev: number, use: (parent: number) => void): void {
    const p1 = this.#index.p1(rev)
    const p2 = this.#index.p2(rev)
    if (p1 !== NULL_REV) use(p1)
    if (p2 !== NULL_REV) use(p2)
  }
}
