/**
 * The schemas of single texts in a campaign: names, levels and free text. Each message says what
 * would be right. An editor sees YAML's numbers and booleans where Assay sees their source text, so
 * these schemas tell the JSON Schema that such scalars are fine as well.
 */
import { type ParameterDeclaration, poolNameSchema } from '@assay/model'
import { z } from 'zod'
import { quoted, unknownName } from '../did-you-mean.ts'

/** YAML's types for what is written without quotes. */
const scalarTypes = ['string', 'number', 'boolean'] as const

/** Source text of one line that stays short enough for a heading. */
const levelPattern = /^[^\s\p{Cc}](?:[^\p{Cc}]{0,198}[^\s\p{Cc}])?$/u

/** A level: any text of one line. */
export const levelText = z
  .string()
  .regex(levelPattern, {
    error: ({ input }) =>
      `${quoted(String(input))} cannot be a level; write one line of at most 200 characters`,
  })
  .meta({ type: [...scalarTypes] })

/** What YAML's core schema makes of a plain scalar, for editors: `10` is a number to them. */
const asEditorsRead = (text: string): readonly (string | number | boolean)[] => {
  if (text === 'true' || text === 'false') return [text, text === 'true']
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? [text, Number(text)] : [text]
}

/** One of `known`; `what` names it in the error. */
export const choiceOf = (what: string, known: readonly string[]): z.ZodType<string> =>
  z
    .enum([...known], {
      error: ({ input }) =>
        typeof input === 'string' ? unknownName(what, input, known) : undefined,
    })
    .meta({ type: [...scalarTypes], enum: known.flatMap(asEditorsRead) })

/** A level of a declared parameter. */
export const parameterLevel = (parameter: ParameterDeclaration): z.ZodType<string> => {
  const { name, summary, levels, pattern } = parameter
  if (levels !== null && pattern === null) {
    return choiceOf(`level of ${name}`, levels).describe(summary)
  }
  if (pattern === null) return levelText.describe(summary)
  const fits = (text: string): boolean =>
    levels?.includes(text) === true || new RegExp(pattern.expression).test(text)
  return levelText
    .refine(fits, {
      error: ({ input }) => `${name} wants ${pattern.wanted}, not ${quoted(String(input))}`,
    })
    .meta({ type: [...scalarTypes], description: `${summary}: ${pattern.wanted}` })
}

/** A name of a dataset, also used as a folder's name. */
export const datasetName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/, {
  error: ({ input }) =>
    `${quoted(String(input))} cannot name a dataset; use letters, digits and . _ + -`,
})

/** A name of a parameter. */
export const parameterName = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, {
  error: ({ input }) =>
    `${quoted(String(input))} cannot name a parameter; use lower-case letters, digits and -`,
})

/** A name of a pool: it stands in URLs, headings and names of queues. */
export const poolName = z
  .string()
  .refine((text) => poolNameSchema.safeParse(text).success, {
    error: ({ input }) =>
      `${quoted(String(input))} cannot name a pool; use at most 64 letters, digits and . _ -`,
  })
  .meta({ type: [...scalarTypes] })

/** A label: printed before a colon, and read back from there. */
export const labelText = z.string().regex(/^[^\s#:\p{Cc}](?:[^:\p{Cc}]{0,78}[^\s:\p{Cc}])?$/u, {
  error: ({ input }) =>
    `${quoted(String(input))} cannot be a label; use at most 80 characters, no colon, no # in front`,
})

/** One level or a list of levels. */
export const oneOrMore = (level: z.ZodType<string>): z.ZodType =>
  z.union([level, z.array(level).min(1)])
