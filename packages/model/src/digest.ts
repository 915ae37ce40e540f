/**
 * Identity by content: two values with the same canonical JSON have the same digest, whatever the
 * order in which their keys were written.
 */
import { createHash } from 'node:crypto'

/** JSON with the keys of every object sorted by code unit and no white space. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )

/** SHA-256 of the canonical JSON, as 64 hex digits. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex')

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export const textDigest = (text: string): string => createHash('sha256').update(text).digest('hex')
