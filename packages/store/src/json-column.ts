/** JSON columns: what comes out of the file is parsed, not believed. */
import type { z } from 'zod'
import { valueCorrupt } from './errors.ts'

/** The value of a JSON column, or `store-corrupt`. `what` names it for the message. */
export const parseColumn = <Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  what: string,
): z.infer<Schema> => {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw valueCorrupt(what, cause)
  }
}
