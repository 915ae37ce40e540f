/** Parameters that several benchmarks share, in the words of the printed campaigns. */
import type { ParameterDeclaration } from '@assay/model'

/** A parameter with a closed list of levels. */
export const choice = (
  name: string,
  summary: string,
  options: { readonly levels: readonly string[]; readonly fallback: string | null },
): ParameterDeclaration => ({ name, summary, pattern: null, ...options })

/** A parameter that takes a whole number from 1. */
export const count = (name: string, summary: string): ParameterDeclaration => ({
  name,
  summary,
  levels: null,
  pattern: { expression: /^[1-9][0-9]{0,8}$/, wanted: 'a whole number from 1' },
  fallback: null,
})

/** Which revisions the other side lacks: the inputs that `unbundle` and `push` transfer. */
export const revs = choice('revs', 'the revisions that are missing on the other side', {
  levels: ['any-1-extra-rev', 'any-100-extra-rev'],
  fallback: null,
})

/** Mercurial's `storage.revlog.issue6528.fix-incoming`. */
export const issue6528 = choice('issue6528', 'the check of incoming copies (issue 6528)', {
  levels: ['disabled', 'default'],
  fallback: null,
})

/** Mercurial's `storage.revlog.reuse-external-delta-parent`. */
export const reuseExternalDeltaParent = choice(
  'reuse-external-delta-parent',
  'whether deltas are kept against the parents that the sender chose',
  { levels: ['yes', 'default'], fallback: null },
)
