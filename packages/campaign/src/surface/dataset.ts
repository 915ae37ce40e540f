/** The YAML surface of one dataset: generated, or taken from one of the catalogue's sources. */
import { type Catalogue, formatTags, type SourceDeclaration } from '@assay/model'
import { z } from 'zod'
import { quoted } from '../did-you-mean.ts'
import { knownFormats } from '../formats.ts'
import { factorOf } from './quantities.ts'
import { section } from './section.ts'
import { choiceOf, levelText, oneOrMore } from './texts.ts'

const sourceShape = (source: SourceDeclaration) => ({
  [source.name]: z
    .string()
    .superRefine((location, context) => {
      const refusal = source.refusalOf(location)
      if (refusal === null) return
      context.addIssue({ code: 'custom', message: `${quoted(location)}: ${refusal}` })
    })
    .describe(source.summary)
    .exactOptional(),
  ...Object.fromEntries(
    source.options.map(({ name, summary, many, pattern: { expression, wanted } }) => {
      const value = levelText.refine((text) => new RegExp(expression).test(text), {
        error: ({ input }) => `${name} wants ${wanted}, not ${quoted(String(input))}`,
      })
      return [name, (many ? oneOrMore(value) : value).describe(summary).exactOptional()]
    }),
  ),
})

const formatNameSchema = levelText.refine((name) => formatTags(name, knownFormats) !== null, {
  error: ({ input }) =>
    `${quoted(String(input))} names no storage formats; join those of format by -, such as zstd-sparse-revlog, or write ds2-pnm`,
})

/** The schema of an entry of `datasets`. Which keys go together is checked by its reader. */
export const datasetSchema = (catalogue: Catalogue) => {
  const format = choiceOf('storage format', [...new Set([...knownFormats, ...catalogue.formats])])
  const presets = catalogue.presets.map((preset) => preset.name)
  return section({
    generate: choiceOf('preset', presets).describe('what is generated').exactOptional(),
    ...Object.assign({}, ...catalogue.sources.map(sourceShape)),
    scale: factorOf({
      most: 10,
      summary: "fraction of the original's changesets; 0.02 by default",
    }).exactOptional(),
    format: oneOrMore(format)
      .describe(
        'storage formats; zstd and sparse-revlog by default where it is generated, else as it comes',
      )
      .exactOptional(),
    formats: oneOrMore(formatNameSchema)
      .describe('one dataset for each of these, such as zstd-sparse-revlog or ds2-pnm')
      .exactOptional(),
    seed: levelText.describe('another seed makes another history').exactOptional(),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'write the 64 digits that `assay dataset show` prints' })
      .describe('the digest that it must have, else it is refused')
      .exactOptional(),
  })
}
