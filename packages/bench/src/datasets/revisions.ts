/** Sources that are taken at some revisions: how these are written, told apart and handed to a program. */
import type { DatasetSource, SourceOptionDeclaration } from '@assay/model'
import { absolute } from './locations.ts'

/** How an id, tag, bookmark or branch is written: no option, no revset, no range. */
const revisionPattern = {
  expression: /^[A-Za-z0-9_][A-Za-z0-9_./+-]{0,199}$/,
  wanted: 'an id, tag, bookmark or branch (letters, digits and . _ / + -)',
} as const

/** The option `revisions`; `unless` says which are taken where there are none. */
export const revisionsOption = (unless: string): SourceOptionDeclaration => ({
  name: 'revisions',
  summary: `which revisions, with their ancestors; ${unless} by default`,
  required: false,
  many: true,
  pattern: revisionPattern,
})

const revisionsOf = ({ options }: DatasetSource): readonly string[] => options['revisions'] ?? []

/** What tells one dataset of such a source from another. */
export const keyOfRevisions = (source: DatasetSource): unknown => ({
  place: absolute(source.location),
  revisions: revisionsOf(source),
})

/** As hg takes them. */
export const revisionArguments = (source: DatasetSource): readonly string[] =>
  revisionsOf(source).map((revision) => `--rev=${revision}`)
