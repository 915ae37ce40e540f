/**
 * Results of another tool as they were read, before they become a run: blocks of cells with every
 * value. One reader per kind of result, in `import-hyperfine.ts` and its neighbours.
 */
import type { Levels, Outcome } from '@assay/model'
import type { z } from 'zod'
import { importUnreadable } from './import-errors.ts'

/** A file of results. */
export interface ImportFile {
  /** How it is called in messages; where files are compared, the label of its rows. */
  readonly name: string
  readonly text: string
}

/** One measured value. */
export interface ImportedSample {
  readonly seconds: number
  readonly outcome: Outcome
  readonly exitCode: number | null
  readonly peakRssBytes: number | null
  /** Inner repeats; the seconds are for one. */
  readonly loops: number
}

/** A row of a comparison. */
export interface ImportedCell {
  readonly label: string
  readonly samples: readonly ImportedSample[]
  /** Kept apart, never judged. */
  readonly warmups: readonly ImportedSample[]
  /** Why there are no samples, as the source says; null where there are some. */
  readonly missing: {
    readonly status: 'failed' | 'unsupported' | 'skipped'
    readonly reason: string
  } | null
  /** Facts of the host that rows must share to be comparable, by name. */
  readonly host: Levels
}

/** Rows that are compared; the first is the baseline. */
export interface ImportedBlock {
  readonly headings: Levels
  readonly cells: readonly ImportedCell[]
}

/** What files of one kind hold. */
export interface ImportedResult {
  readonly kind: string
  /** What tells the rows of a block apart. */
  readonly comparedFactor: string
  readonly blocks: readonly ImportedBlock[]
  /** What a reader should know of the files: one sentence each, with the place. */
  readonly remarks?: readonly string[]
}

/** Parses JSON by a schema; throws `import-unreadable` with the path of the first mistake. */
export const parseImport = <Schema extends z.ZodType>(
  { name, text }: ImportFile,
  schema: Schema,
): z.infer<Schema> => {
  const parsed = schema.safeParse(jsonOf(name, text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  throw importUnreadable(name, `${path === '' ? '' : `${path}: `}${issue?.message ?? 'unreadable'}`)
}

const jsonOf = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw importUnreadable(name, `not JSON: ${error instanceof Error ? error.message : error}`)
  }
}
