/**
 * Mercurial's storage formats by the tags that campaigns use. A tag that is known here but that no
 * generator writes yet makes cells `unsupported`; any other tag is a typo.
 */

/** Source: `hg help config.format` and the requirements of `hg debugformat` (Mercurial 6.3, 7.2). */
export const knownFormats = [
  'zlib',
  'zstd',
  'none',
  'sparse-revlog',
  'generaldelta',
  'no-generaldelta',
  'share-safe',
  'no-share-safe',
  'dirstate-v2',
  'persistent-nodemap',
] as const

/** Of each group a repository has at most one: a revlog has one compression, and sparse-revlog is
 * built on general delta (`hg help config.format`). */
export const exclusiveFormats: readonly (readonly string[])[] = [
  ['zlib', 'zstd', 'none'],
  ['generaldelta', 'no-generaldelta'],
  ['sparse-revlog', 'no-generaldelta'],
  ['share-safe', 'no-share-safe'],
]
