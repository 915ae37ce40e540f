/**
 * The phases of a repository that changesets are added to: what new ones get, what becomes more
 * public. From the first root on, phases are held for every revision; the roots that are written are
 * those whose parents are all in a lower phase.
 */
import { type ByteString, bytesOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { Repository } from '../repository/open.ts'
import { readRoots } from '../repository/phases.ts'
import type { GrowingIndex } from '../writer/growing-index.ts'

/** Phases until they are written. */
export interface PhaseUpdate {
  /** The phase of a revision. */
  phaseOf(rev: number): number
  /** New revisions, all from one on, are in `phase`, or their parents' if that is less public. */
  addFrom(firstRev: number, phase: number): void
  /** Revisions and their ancestors are at least as public as `phase`. Gives those that changed. */
  advance(phase: number, revs: readonly number[]): readonly number[]
  /** The file phaseroots, if it changes. */
  changedRoots(): Uint8Array | undefined
}

/** The phases of the repository, whose changelog grows as `index`. */
export function phaseUpdate(repository: Repository, index: GrowingIndex): PhaseUpdate {
  return new GrowingPhases(index, readRoots(repository))
}

class GrowingPhases implements PhaseUpdate {
  readonly #index: GrowingIndex
  readonly #before: ByteString
  readonly #first: number
  /** Phases from #first on. */
  #phases: Uint8Array
  /** Revisions whose phases are known. */
  #known: number

  constructor(index: GrowingIndex, roots: ReadonlyMap<number, number>) {
    this.#index = index
    this.#known = index.oldLength
    this.#first = Math.min(this.#known, ...roots.keys())
    this.#phases = new Uint8Array(this.#known - this.#first)
    for (let rev = this.#first; rev < this.#known; rev++) {
      this.#phases[rev - this.#first] = Math.max(this.#inherited(rev), roots.get(rev) ?? 0)
    }
    this.#before = this.#roots()
  }

  phaseOf(rev: number): number {
    return rev < this.#first ? 0 : (this.#phases[rev - this.#first] ?? 0)
  }

  addFrom(firstRev: number, phase: number): void {
    this.#reserve()
    for (let rev = firstRev; rev < this.#index.length; rev++) {
      this.#phases[rev - this.#first] = Math.max(this.#inherited(rev), phase)
    }
    this.#known = this.#index.length
  }

  advance(phase: number, revs: readonly number[]): readonly number[] {
    const waiting = [...revs]
    const changed: number[] = []
    for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
      if (rev === NULL_REV || this.phaseOf(rev) <= phase) continue
      this.#phases[rev - this.#first] = phase
      changed.push(rev)
      waiting.push(this.#index.p1(rev), this.#index.p2(rev))
    }
    return changed
  }

  changedRoots(): Uint8Array | undefined {
    const roots = this.#roots()
    return roots === this.#before ? undefined : bytesOf(roots)
  }

  #inherited(rev: number): number {
    return Math.max(this.phaseOf(this.#index.p1(rev)), this.phaseOf(this.#index.p2(rev)))
  }

  #roots(): ByteString {
    let lines = ''
    for (let rev = this.#first; rev < this.#known; rev++) {
      const phase = this.phaseOf(rev)
      if (phase > 0 && this.#inherited(rev) < phase)
        lines += `${phase} ${this.#index.nodeHex(rev)}\n`
    }
    return lines
  }

  #reserve(): void {
    const needed = this.#index.length - this.#first
    if (needed <= this.#phases.length) return
    const larger = new Uint8Array(2 * needed)
    larger.set(this.#phases)
    this.#phases = larger
  }
}
