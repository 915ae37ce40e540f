/**
 * What a repository says a program must know to touch it: one name a line in .hg/requires and, with
 * share-safe, the store's own in .hg/store/requires. Anything unknown is refused by name: guessing
 * would mean reading it wrong. Source: `hg help internals.requirements`.
 */
import { RevlogError } from '../errors.ts'

/** The requirements that this package understands. */
export const KNOWN_REQUIREMENTS: ReadonlySet<string> = new Set([
  'revlogv1',
  'generaldelta',
  'store',
  'fncache',
  'dotencode',
  'sparserevlog',
  'revlog-compression-zstd',
  // Chunks say themselves how they are compressed; this repository's are not.
  'exp-compression-none',
  'share-safe',
  'persistent-nodemap',
  'dirstate-v2',
  'dirstate-tracked-key-v1',
])

/** Without these a repository is laid out as before 2008. */
const NEEDED = ['revlogv1', 'store'] as const

/** The names in a requires file. */
export function parseRequires(text: string): ReadonlySet<string> {
  return new Set(text.split('\n').filter((line) => line !== ''))
}

/** A requires file: the names sorted, one a line. */
export function serializeRequires(names: ReadonlySet<string>): string {
  return [...names]
    .sort()
    .map((name) => `${name}\n`)
    .join('')
}

/** Throws `unknown-requirement`, naming them, unless every one is known and the needed ones are there. */
export function checkRequirements(names: ReadonlySet<string>): void {
  const unknown = [...names].filter((name) => !KNOWN_REQUIREMENTS.has(name)).sort()
  if (unknown.length > 0) {
    throw new RevlogError(
      'unknown-requirement',
      `repository requires features unknown to this program: ${unknown.join(', ')}`,
    )
  }
  const missing = NEEDED.filter((name) => !names.has(name))
  if (missing.length > 0) {
    throw new RevlogError(
      'unknown-requirement',
      `repository is of an old layout, without ${missing.join(' and ')}: \`hg clone --pull\` makes one of today's`,
    )
  }
}
