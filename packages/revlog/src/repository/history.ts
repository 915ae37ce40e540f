/**
 * A history as a list of numbered changesets: that of a repository, or one that goes on from it with
 * changesets that are not there.
 */
import type { Changeset } from '../changelog/changeset.ts'
import type { Repository } from './open.ts'

/** Changesets with their revision numbers, wherever they are kept. */
export interface ChangesetHistory {
  readonly length: number
  /** As hexadecimal digits; zeros for -1. */
  nodeHex(rev: number): string
  p1(rev: number): number
  p2(rev: number): number
  changeset(rev: number): Changeset
}

/** The history of a repository. */
export function historyOf(repository: Repository): ChangesetHistory {
  const { changelog } = repository
  return {
    length: changelog.length,
    nodeHex: (rev) => changelog.nodeHex(rev),
    p1: (rev) => changelog.index.p1(rev),
    p2: (rev) => changelog.index.p2(rev),
    changeset: (rev) => repository.changeset(rev),
  }
}
