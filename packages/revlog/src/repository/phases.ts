/**
 * The phases of changesets: public unless a root in store/phaseroots, or an ancestor that is one,
 * says otherwise. The file has a line `<phase> <node>` for each root.
 */
import { RevlogError } from '../errors.ts'
import type { Repository } from './open.ts'

/** A phase. */
export interface Phase {
  readonly number: number
  readonly name: string
}

/** All phases; a changeset's is never lower than its parents' (`hg help phases`). */
export const PHASES: readonly Phase[] = [
  { number: 0, name: 'public' },
  { number: 1, name: 'draft' },
  { number: 2, name: 'secret' },
  { number: 32, name: 'archived' },
  { number: 96, name: 'internal' },
]

/** The phases of a repository's changesets. */
export interface PhaseLookup {
  /** The phase's number; 0 (public) for -1. */
  phaseOf(rev: number): number
}

/** Reads the roots; the changesets' phases are found from the first root on. Throws `corrupt`. */
export function phaseLookup(repository: Repository): PhaseLookup {
  const roots = readRoots(repository)
  const first = Math.min(...roots.keys())
  if (roots.size === 0) return { phaseOf: () => 0 }
  const { index } = repository.changelog
  const phases = new Uint8Array(index.length - first)
  const phaseOf = (rev: number): number => (rev < first ? 0 : (phases[rev - first] ?? 0))
  for (let rev = first; rev < index.length; rev++) {
    const inherited = Math.max(phaseOf(index.p1(rev)), phaseOf(index.p2(rev)))
    phases[rev - first] = Math.max(inherited, roots.get(rev) ?? 0)
  }
  return { phaseOf }
}

/** Phases of the roots by revision; roots that are not here are left out, as in Mercurial. */
export function readRoots(repository: Repository): ReadonlyMap<number, number> {
  const roots = new Map<number, number>()
  const text = repository.metaFile('store/phaseroots')?.toString('latin1') ?? ''
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, number, node] = /^(\d{1,2}) ([0-9a-f]{40})$/.exec(line) ?? []
    if (number === undefined || node === undefined) {
      throw new RevlogError('corrupt', `phaseroots has the line ${JSON.stringify(line)}`)
    }
    const rev = repository.changelog.findRev(Buffer.from(node, 'hex'))
    if (rev !== undefined && rev >= 0) roots.set(rev, Math.max(Number(number), roots.get(rev) ?? 0))
  }
  return roots
}
