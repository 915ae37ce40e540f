/** What can go wrong with a queue outside this process, each with a stable code and a remedy. */
import { AssayError } from '@assay/model'

/** A name with several addresses fails with one error for each. */
const textOf = (cause: unknown): string => {
  if (cause instanceof AggregateError) return cause.errors.map(textOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** `queue-unreachable`: nothing answers there, or not in time. */
export const queueUnreachable = (where: string, cause: unknown): AssayError =>
  new AssayError({
    code: 'queue-unreachable',
    kind: 'unmeasurable',
    message:
      `Redis at ${where} cannot be reached (${textOf(cause)}): start it, or correct the address; ` +
      'without `--redis` the embedded queue is used',
    details: { where },
    cause,
  })

/** `queue-refused`: Redis answered, but would not do it: out of memory, read-only, not allowed. */
export const queueRefused = (where: string, cause: unknown): AssayError =>
  new AssayError({
    code: 'queue-refused',
    kind: 'unmeasurable',
    message: `Redis at ${where} refused (${textOf(cause)}): see its memory limit, its role and its access rules`,
    details: { where },
    cause,
  })

/** `queue-unsuitable`: what runs there cannot carry a queue, or may lose one. */
export const queueUnsuitable = (where: string, why: string): AssayError =>
  new AssayError({
    code: 'queue-unsuitable',
    kind: 'usage',
    message: `Redis at ${where} ${why}`,
    details: { where },
  })

/** `queue-address-invalid`: the address does not name a Redis. */
export const queueAddressInvalid = (): AssayError =>
  new AssayError({
    code: 'queue-address-invalid',
    kind: 'usage',
    message:
      'the address of Redis is written redis://HOST:PORT, rediss://HOST:PORT or /path/to/socket',
  })
