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

/** A parameter that names revisions, without anything that could be read as an option. */
export const revision = (
  name: string,
  summary: string,
  options: { readonly wanted: string; readonly fallback: string | null },
): ParameterDeclaration => ({
  name,
  summary,
  levels: null,
  pattern: { expression: /^[A-Za-z0-9][A-Za-z0-9_.:]*$/, wanted: options.wanted },
  fallback: options.fallback,
})

/** Which revisions the other side lacks: the inputs that `unbundle`, `push` and others transfer. */
export const revs: ParameterDeclaration = {
  name: 'revs',
  summary: 'the revisions that are missing on the other side: the last ones',
  levels: null,
  pattern: {
    expression: /^(any-1-extra-rev|any-100-extra-rev|last-[1-9][0-9]{0,8}|all)$/,
    wanted: 'any-1-extra-rev, any-100-extra-rev, all, or last- and a number, such as last-1000',
  },
  fallback: 'any-1-extra-rev',
}

/** How the other repository is reached. */
export const protocol = choice('protocol', 'how the other repository is reached', {
  levels: ['ssh', 'local'],
  fallback: null,
})

/** Whether the revisions are named: by the heads of what is missing on the other side. */
export const explicitRev = choice('explicit-rev', 'revisions named on the command line', {
  levels: ['none', 'all-out-heads'],
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

/** Which revlog a perf command looks at. */
export const revlog: ParameterDeclaration = {
  name: 'revlog',
  summary: 'which revlog: of changesets, of manifests, or of one tracked file',
  levels: null,
  pattern: {
    expression: /^(changelog|manifest|file:[^\0\r\n]+)$/,
    wanted: 'changelog, manifest, or file: and the path of a tracked file',
  },
  fallback: 'changelog',
}
