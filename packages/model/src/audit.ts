/** The audit log: who changed what, and who was refused a change. */
import { z } from 'zod'

/** Who asked. */
export const actorSchema = z.strictObject({
  /** Of the token; null without one. */
  tokenId: z.string().nullable(),
  /** The token's name; `nobody` without a valid one; `local user NAME` at the command line. */
  name: z.string(),
  /** Where the request came from; null at the command line. */
  address: z.string().nullable(),
})
export type Actor = z.infer<typeof actorSchema>

/** One change, or the refusal of one. */
export const auditEntrySchema = z.strictObject({
  /** Counts up, never twice the same. */
  id: z.int(),
  /** Milliseconds since 1970. */
  at: z.number(),
  who: actorSchema,
  /** Method and pattern of the route, or a command: `POST /api/v1/runs/:run/cancel`. */
  action: z.string(),
  /** What it was done to: what the path names, and where what was made can be found. */
  object: z.record(z.string(), z.string()),
  /** The HTTP status of the answer; null at the command line. */
  status: z.int().nullable(),
  /** By which the server's log knows the request; null at the command line. */
  requestId: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

export const listAuditResponseSchema = z.strictObject({
  entries: z.array(auditEntrySchema).readonly(),
  nextCursor: z.string().nullable(),
})
