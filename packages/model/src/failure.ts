/**
 * What went wrong, for machines: the one JSON document that a command prints on standard output
 * instead of its result when it was asked for JSON.
 */
import { z } from 'zod'
import { AssayError, errorKinds, exitCodeOf } from './errors.ts'

/** The document. */
export const failureSchema = z.strictObject({
  error: z.strictObject({
    /** Stable; what to search for. */
    code: z.string(),
    kind: z.enum(errorKinds),
    /** What happened and what to do, for a person. */
    message: z.string(),
    /** The part of the message that says what to do; null where it names nothing to do. */
    remedy: z.string().nullable(),
    /** Of the process that prints this. */
    exitCode: z.int(),
    details: z.record(z.string(), z.json()),
  }),
})
export type Failure = z.infer<typeof failureSchema>

/** Verbs that a clause begins with which tells a person what to do. */
const verbs =
  'add|ask|build|check|choose|clear|close|correct|fix|free|give|go on|install|list|make|measure|mend|name|open|parse|put|read|rebuild|remove|report|restore|run|save|see|send|set|start|stop|take|try|use|wait|without|write'

/** A clause that begins with one, or with a command line, after another clause. */
const remedyClause = new RegExp(`[.:;] ((?:(?:${verbs})\\b|\`)[^]*)$`, 'i')

/** Our messages end with what to do; it is the longest end that begins as an instruction does. */
const remedyOf = (message: string): string | null => remedyClause.exec(message)?.[1] ?? null

/** What is known of an error as JSON; what JSON cannot hold is left out. */
const plainDetails = (details: AssayError['details']): Failure['error']['details'] =>
  failureSchema.shape.error.shape.details.parse(JSON.parse(JSON.stringify(details)))

/** The document for whatever was thrown; what is not ours is internal. */
export const failureOf = (thrown: unknown): Failure => {
  const exitCode = exitCodeOf(thrown)
  if (!(thrown instanceof AssayError)) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const shared = { code: 'internal', kind: 'internal', message, remedy: null } as const
    return { error: { ...shared, exitCode, details: {} } }
  }
  const { code, kind, message, details } = thrown
  const remedy = remedyOf(message)
  return { error: { code, kind, message, remedy, exitCode, details: plainDetails(details) } }
}

/** The document as it is printed. */
export const failureText = (thrown: unknown): string =>
  `${JSON.stringify(failureOf(thrown), null, 2)}\n`
