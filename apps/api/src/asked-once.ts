/**
 * Idempotency-Key: a client that did not hear the answer asks again under the same key, and gets the
 * run that it has, not a second one.
 */
import { digestOf } from '@assay/model'
import type { AskedOnce, Store } from '@assay/store'
import { z } from 'zod'
import { idempotencyKeyReused } from './errors.ts'

/** Headers of a request that starts something. */
export const onceHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .describe('made up by the client; the same key with the same request starts nothing twice'),
})

/** What a request is recognized by; undefined without a key. */
export const askedOf = (
  headers: z.infer<typeof onceHeaders>,
  request: { readonly action: string; readonly body: unknown },
): AskedOnce | undefined => {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : { key, requestDigest: digestOf(request) }
}

/** The run that was started by the same request; null if none was. Errors: `idempotency-key-reused`. */
export const startedBefore = (asked: AskedOnce | undefined, store: Store): string | null => {
  if (asked === undefined) return null
  const before = store.runs.asked(asked.key)
  if (before === null) return null
  if (before.requestDigest !== asked.requestDigest) {
    throw idempotencyKeyReused(asked.key, before.runId)
  }
  return before.runId
}
