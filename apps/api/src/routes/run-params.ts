/** How a path names a run. */
import { z } from 'zod'

/** Of `/runs/:run/...`. */
export const runParams = z.strictObject({
  run: z.string().describe('id, beginning of an id, name, `latest`, or `@-1` for the one before'),
})
