/** Tables that real change messages of Mercurial print, with the headings in force above each. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type BlockOf, constant } from './report-of.ts'

const printedSchema = z.array(
  z.strictObject({
    source: z.string(),
    headers: z.record(z.string(), z.string()),
    rows: z.array(
      z.strictObject({
        label: z.string(),
        seconds: z.number().nullable(),
        raw: z.string(),
        /** The line is what the printing rule gives. */
        strict: z.boolean(),
      }),
    ),
    verbatim: z.array(z.string()),
  }),
)

const file = new URL('../../fixtures/printed-comparisons.json', import.meta.url)

export const printed = printedSchema.parse(JSON.parse(readFileSync(file, 'utf8')))

/** Mercurial 522b4d729e89: populate the mapping by default. */
export const populate = printed.filter(({ source }) => source.includes('522b4d729e89'))

/** Mercurial: use mmap by default if pre-population is available. */
export const mmapByDefault = printed.filter(({ source }) => source.includes('use mmap by default'))

/** What a report of these blocks is made of; a row whose number is garbled in print has none. */
export const blocksOf = (blocks: typeof printed): BlockOf[] =>
  blocks.map(({ headers, rows }) => ({
    headings: headers,
    rows: rows.flatMap(({ label, seconds }) =>
      seconds === null ? [] : [{ label, values: constant(seconds) }],
    ),
  }))
