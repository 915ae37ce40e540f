/** Reads one entry of `datasets`: one dataset, or one for each of its formats. */
import {
  type DatasetSource,
  type DatasetSpec,
  formatTags,
  type SourceDeclaration,
} from '@assay/model'
import { exclusiveFormats, knownFormats } from '../formats.ts'
import { entryOf, type MapEntry, type TextNode, textOf, textsOf } from '../source/located-node.ts'
import type { Reading } from './reading.ts'

/** Some hundred changesets of a middling project: seconds to make, enough to see the way it works. */
export const defaultScale = 0.02
/** What Mercurial itself writes by default since 6.0 (`hg help config.format`). */
export const defaultFormat = ['zstd', 'sparse-revlog'] as const
/** One seed for all, so that datasets that differ in format hold the same history. */
export const defaultSeed = 'assay'

/** A tag of a format, and where it is written. */
type Tag = Pick<TextNode, 'text' | 'offset'>

const checkFormats = (tags: readonly Tag[], { faults }: Reading): void => {
  const seen = new Set<string>()
  for (const { text, offset } of tags) {
    const group = exclusiveFormats.find(
      (names) => names.includes(text) && names.some((name) => name !== text && seen.has(name)),
    )
    if (seen.has(text)) {
      faults.add(offset, 'duplicate-format', `the format ${text} is there twice; remove one`)
    } else if (group !== undefined) {
      const message = `${text} does not go together with another of ${group.join(', ')}; keep one`
      faults.add(offset, 'conflicting-formats', message)
    }
    seen.add(text)
  }
}

/** One dataset of an entry: what is added to its name, and its tags. */
interface NamedFormat {
  readonly suffix: string
  readonly tags: readonly Tag[]
}

const formatsOf = ({ value }: MapEntry): readonly NamedFormat[] => {
  const names = textsOf(entryOf(value, 'formats')?.value)
  if (names.length === 0) return [{ suffix: '', tags: textsOf(entryOf(value, 'format')?.value) }]
  return names.map(({ text, offset }) => ({
    suffix: `-${text}`,
    tags: (formatTags(text, knownFormats) ?? []).map((tag) => ({ text: tag, offset })),
  }))
}

/** The names of the datasets that an entry makes. */
export const datasetNamesOf = (entry: MapEntry): readonly string[] =>
  formatsOf(entry).map(({ suffix }) => entry.key + suffix)

/** Keys of a generated dataset alone. */
const generatorKeys = ['generate', 'scale', 'seed'] as const

const originsIn = ({ value }: MapEntry, { catalogue: { sources } }: Reading): readonly string[] =>
  ['generate', ...sources.map(({ name }) => name)].filter(
    (name) => entryOf(value, name) !== undefined,
  )

/** Each dataset is generated, or comes from one place. Said whatever else is wrong with the section. */
export const checkOrigins = (reading: Reading): void => {
  const { catalogue, root, faults } = reading
  const section = entryOf(root, 'datasets')?.value
  for (const entry of section?.kind === 'map' ? section.entries : []) {
    const { key, keyOffset, value } = entry
    if (value.kind !== 'map') continue
    const [first, second] = originsIn(entry, reading)
    if (first === undefined) {
      const known = ['generate', ...catalogue.sources.map(({ name }) => name)].join(', ')
      const message = `datasets.${key} does not say what it is; add one of ${known}`
      faults.add(keyOffset, 'missing-key', message)
    } else if (second !== undefined) {
      const message = `datasets.${key} is both ${first} and ${second}; keep one`
      faults.add(entryOf(value, second)?.keyOffset ?? keyOffset, 'two-origins', message)
    }
  }
}

/** Keys that say nothing about this origin, and those that it lacks. */
const checkKeys = (
  { key, keyOffset, value }: MapEntry,
  source: SourceDeclaration | null,
  { catalogue: { sources }, faults }: Reading,
): void => {
  const own: readonly string[] = source?.options.map(({ name }) => name) ?? generatorKeys
  const others = [...generatorKeys, ...sources.flatMap(({ options }) => options.map((o) => o.name))]
  const foreign = [...others, ...(source === null ? ['digest'] : [])]
  for (const name of new Set(foreign.filter((one) => !own.includes(one)))) {
    const at = entryOf(value, name)?.keyOffset
    const origin = source?.name ?? 'generate'
    if (at !== undefined) faults.add(at, 'not-for-source', `${origin} takes no ${name}; remove it`)
  }
  for (const { name, required, pattern } of source?.options ?? []) {
    if (!required || entryOf(value, name) !== undefined) continue
    const message = `datasets.${key} has no "${name}"; add it: ${pattern.wanted}`
    faults.add(keyOffset, 'missing-key', message)
  }
  const [one, several] = [entryOf(value, 'format'), entryOf(value, 'formats')]
  if (one === undefined || several === undefined) return
  faults.add(several.keyOffset, 'two-formats', 'write format or formats, not both')
}

const sourceOf = ({ value }: MapEntry, { name, options }: SourceDeclaration): DatasetSource => ({
  kind: name,
  location: textOf(entryOf(value, name)?.value) ?? '',
  options: Object.fromEntries(
    options.flatMap((option) => {
      const texts = textsOf(entryOf(value, option.name)?.value).map(({ text }) => text)
      return texts.length === 0 ? [] : [[option.name, texts] as const]
    }),
  ),
})

/** The datasets of an entry, in written order; faults are reported. */
export const datasetsOf = (entry: MapEntry, reading: Reading): readonly DatasetSpec[] => {
  const { key, value } = entry
  const [origin, ...others] = originsIn(entry, reading)
  if (origin === undefined || others.length > 0) return []
  const source = reading.catalogue.sources.find((one) => one.name === origin) ?? null
  checkKeys(entry, source, reading)
  const digest = textOf(entryOf(value, 'digest')?.value)
  return formatsOf(entry).map(({ suffix, tags }): DatasetSpec => {
    checkFormats(tags, reading)
    const name = key + suffix
    const format = tags.map(({ text }) => text)
    if (source !== null) {
      const pinned = digest === undefined ? {} : { digest }
      return { name, source: sourceOf(entry, source), format, ...pinned }
    }
    return {
      name,
      generate: textOf(entryOf(value, 'generate')?.value) ?? '',
      scale: Number(textOf(entryOf(value, 'scale')?.value) ?? defaultScale),
      format: format.length > 0 ? format : [...defaultFormat],
      seed: textOf(entryOf(value, 'seed')?.value) ?? defaultSeed,
    }
  })
}
