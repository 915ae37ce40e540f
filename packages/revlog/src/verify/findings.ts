/**
 * What a check of a store has found so far, said at once and counted for the end. The sentences are
 * Mercurial's (compared with what `hg verify` of 6.3 prints about damaged copies).
 */

/** Where a check says what it does and finds; lines come without their ends. */
export interface VerifyOutput {
  /** What is being done, and the summary. */
  readonly status: (line: string) => void
  /** What is wrong. */
  readonly problem: (line: string) => void
}

/** An error's place: what it is about, and the changeset that it belongs to. */
export interface ProblemPlace {
  /** `changelog`, `manifest` or a path; left out where the sentence names it. */
  readonly name?: string
  /** Undefined where it cannot be told. */
  readonly linkRev: number | undefined
}

/** Findings until the check ends. */
export interface Findings {
  error(place: ProblemPlace, what: string): void
  warning(line: string): void
  /** A warning that a damaged list of store files explains. */
  fncacheWarning(line: string): void
  counts(): FindingCounts
}

/** How much was found. */
export interface FindingCounts {
  readonly errors: number
  readonly warnings: number
  /** Whether the list of store files misses some that are there. */
  readonly fncacheDamaged: boolean
  /** The first changeset that an error belongs to; undefined where none could be told. */
  readonly firstDamagedRev: number | undefined
}

/** Nothing found yet. */
export function openFindings(output: VerifyOutput): Findings {
  let errors = 0
  let warnings = 0
  let fncacheDamaged = false
  let first: number | undefined
  const warning = (line: string): void => {
    warnings += 1
    output.problem(line)
  }
  return {
    warning,
    error({ name, linkRev }, what) {
      errors += 1
      if (linkRev !== undefined) first = Math.min(first ?? linkRev, linkRev)
      const place = `${linkRev ?? '?'}`
      output.problem(` ${name === undefined ? place : `${name}@${place}`}: ${what}`)
    },
    fncacheWarning(line) {
      fncacheDamaged = true
      warning(line)
    },
    counts: () => ({ errors, warnings, fncacheDamaged, firstDamagedRev: first }),
  }
}
