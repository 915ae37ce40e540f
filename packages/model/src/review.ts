/** Reviews: a person's word on a report, or on rows of it, before a change lands; kept for ever. */
import { z } from 'zod'
import { actorSchema } from './audit.ts'

/** What a person decided. */
export const reviewDecisionSchema = z.enum(['accepted', 'rejected'])
export type ReviewDecision = z.infer<typeof reviewDecisionSchema>

/** A decision as it is made. */
export const addReviewRequestSchema = z.strictObject({
  decision: reviewDecisionSchema,
  /** Ids of the cells of the rows that it is about; absent: the whole report. */
  rows: z.array(z.string().min(1)).min(1).max(1_000).readonly().exactOptional(),
  /** For whoever reads it later. */
  reason: z.string().trim().min(1, { error: 'a review needs a reason' }).max(10_000),
})
export type AddReviewRequest = z.infer<typeof addReviewRequestSchema>

/** A decision as it is kept. */
export const reviewSchema = z.strictObject({
  id: z.int(),
  /** Milliseconds since 1970. */
  at: z.number(),
  who: actorSchema,
  decision: reviewDecisionSchema,
  /** Null: the whole report. */
  rows: z.array(z.string()).readonly().nullable(),
  reason: z.string(),
  /** Of the judged samples that it was based on. */
  samplesDigest: z.string(),
  /** Whether the judged samples are still those; a decision on others says nothing of these. */
  current: z.boolean(),
})
export type Review = z.infer<typeof reviewSchema>

export const listReviewsResponseSchema = z.strictObject({
  /** Oldest first. */
  reviews: z.array(reviewSchema).readonly(),
})
