/** How a path names a run, and how a query asks for a page. */
import type { PageRequest } from '@assay/store'
import { z } from 'zod'

/** Of `/runs/:run/...`. */
export const runParams = z.strictObject({
  run: z.string().describe('id, beginning of an id, name, `latest`, or `@-1` for the one before'),
})

/** Of every list that comes in pages. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(50).describe('most rows of the page'),
  cursor: z.string().exactOptional().describe('`nextCursor` of the page before'),
})

/** The page that a query asks for. */
export const pageOf = ({ limit, cursor }: z.infer<typeof pageQuery>): PageRequest => ({
  limit,
  cursor: cursor ?? null,
})
