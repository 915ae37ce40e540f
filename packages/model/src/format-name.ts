/**
 * Storage formats as part of a dataset's name, in the manner of Mercurial's change messages:
 * `zstd-sparse-revlog`, and `ds2-pnm` for what comes on top of those two.
 */

const shortNames: ReadonlyMap<string, string> = new Map([
  ['dirstate-v2', 'ds2'],
  ['persistent-nodemap', 'pnm'],
])

/** What a name means that says only what comes on top: Mercurial's own default since 6.0. */
const usual: readonly string[] = ['zstd', 'sparse-revlog']

/** `ds2-pnm` of zstd, sparse-revlog, dirstate-v2 and persistent-nodemap; other tags as they are. */
export const formatName = (tags: readonly string[]): string => {
  const below = tags.filter((tag) => !shortNames.has(tag))
  const above = [...shortNames].flatMap(([tag, short]) => (tags.includes(tag) ? [short] : []))
  const isUsual = below.length === usual.length && usual.every((tag) => below.includes(tag))
  return [...(isUsual && above.length > 0 ? [] : below), ...above].join('-')
}

const splitName = (name: string, words: readonly string[]): readonly string[] | null => {
  if (name === '') return []
  for (const word of words) {
    if (name === word) return [word]
    if (!name.startsWith(`${word}-`)) continue
    const rest = splitName(name.slice(word.length + 1), words)
    if (rest !== null && rest.length > 0) return [word, ...rest]
  }
  return null
}

/** The tags that a name stands for, of those that are `known`; null if it stands for none. */
export const formatTags = (name: string, known: readonly string[]): readonly string[] | null => {
  const words = splitName(name, [...known, ...shortNames.values()])
  if (words === null || words.length === 0) return null
  const longNames = new Map([...shortNames].map(([tag, short]) => [short, tag]))
  const tags = words.map((word) => longNames.get(word) ?? word)
  return tags.every((tag) => shortNames.has(tag)) ? [...usual, ...tags] : tags
}
