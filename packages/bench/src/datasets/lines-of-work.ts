/**
 * How a generated history branches: which line of work the next changeset continues, opens or
 * merges. Beside the main line there are lines that will be merged and lines that end as open heads.
 * What a changeset changes is left to changes.ts.
 */
import type { DatasetShape } from './shape.ts'
import type { TextSource } from './text-source.ts'

/** A line of work beside the main one. */
export interface SideLine {
  /** Its last changeset. */
  tip: number
  /** Changesets that it still gets; a line to be merged has no end of its own. */
  remaining: number
  /** The main line's changeset number where it started. */
  readonly startedAt: number
  /** Its named branch; undefined for the default one. */
  readonly branch: string | undefined
  /** Whether it will be merged or stay open. */
  readonly fate: 'merge' | 'head'
  /** Files that it changed or added. */
  readonly changed: Set<string>
}

/** What the next changeset does. */
export type Step =
  | { readonly kind: 'main'; readonly parent: number }
  | { readonly kind: 'side'; readonly parent: number; readonly line: SideLine }
  | {
      readonly kind: 'merge'
      readonly first: number
      readonly second: number
      readonly line: SideLine
    }

/** Lines that wait to be merged at one time. */
const MERGEABLE_AT_ONCE = 6

/** A line starts at most this many changesets behind the main line's end. */
const START_REACH = 40

/** Decides step after step; `done` tells it the revision that a step became. */
export class LinesOfWork {
  readonly #source: TextSource
  readonly #shape: DatasetShape
  readonly #mergeable: SideLine[] = []
  readonly #open: SideLine[] = []
  /** The main line's last revisions; the last START_REACH are enough. */
  #main: number[] = []
  #mainLength = 0
  #branches = 0
  #steps = 0
  #heads = 0

  constructor(source: TextSource, shape: DatasetShape) {
    this.#source = source
    this.#shape = shape
  }

  /** Number of the main line's changesets so far. */
  get mainLength(): number {
    return this.#mainLength
  }

  /** What the next changeset does. */
  next(): Step {
    const { mergeRatio, heads, changesets } = this.#shape
    const { random, pick } = this.#source
    const parent = this.#main.at(-1) ?? -1
    this.#steps += 1
    if (parent === -1) return { kind: 'main', parent }
    // The main line is a head too.
    if (this.#heads < Math.floor(((heads - 1) * this.#steps) / changesets)) {
      this.#heads += 1
      return this.#start('head')
    }
    if (random() < mergeRatio) {
      const [line] = this.#mergeable.splice(pick(this.#mergeable.length), 1)
      if (line !== undefined) return { kind: 'merge', first: parent, second: line.tip, line }
      return this.#start('merge')
    }
    const scarce = this.#mergeable.length < MERGEABLE_AT_ONCE
    if (scarce && random() < 1.5 * mergeRatio) return this.#start('merge')
    return this.#continueSome() ?? { kind: 'main', parent }
  }

  /** Notes the revision that a step became. */
  done(step: Step, rev: number): void {
    if (step.kind === 'side') {
      step.line.tip = rev
      step.line.remaining -= 1
      if (step.line.remaining <= 0) remove(this.#open, step.line)
      return
    }
    this.#mainLength += 1
    this.#main.push(rev)
    if (this.#main.length > 2 * START_REACH) this.#main = this.#main.slice(-START_REACH)
  }

  #start(fate: SideLine['fate']): Step {
    const back = this.#source.pickSkewed(Math.min(START_REACH, this.#main.length))
    const parent = this.#main.at(-1 - back) ?? -1
    const line: SideLine = {
      tip: parent,
      remaining:
        fate === 'head' ? this.#source.around(this.#shape.headLength, 1) : Number.POSITIVE_INFINITY,
      startedAt: this.#mainLength - 1 - back,
      branch: this.#newBranch(),
      fate,
      changed: new Set(),
    }
    if (fate === 'merge') this.#mergeable.push(line)
    else this.#open.push(line)
    return { kind: 'side', parent, line }
  }

  #continueSome(): Step | undefined {
    const { random, pick } = this.#source
    const lines = this.#open.length > 0 && random() < 0.6 ? this.#open : this.#mergeable
    if (lines.length === 0 || random() < 0.5) return undefined
    const line = lines[pick(lines.length)]
    return line === undefined ? undefined : { kind: 'side', parent: line.tip, line }
  }

  #newBranch(): string | undefined {
    const { branches, changesets, mergeRatio, heads } = this.#shape
    const expectedLines = changesets * mergeRatio + heads
    if (this.#branches >= branches) return undefined
    if (this.#source.random() >= (1.2 * branches) / expectedLines) return undefined
    this.#branches += 1
    return `${this.#source.word()}-${this.#source.word()}-${this.#branches}`
  }
}

const remove = (lines: SideLine[], line: SideLine): void => {
  const at = lines.indexOf(line)
  if (at !== -1) lines.splice(at, 1)
}
