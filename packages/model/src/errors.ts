/**
 * The one error type of the house. Each package names its own errors in its `errors.ts`, with a
 * code from here; the apps map codes to exit codes and HTTP status (`exitCodeOf`, `httpStatusOf`).
 */

/** Every kind of trouble. */
export const errorKinds = [
  'usage',
  'unauthenticated',
  'forbidden',
  'not-found',
  'conflict',
  'gone',
  'unmeasurable',
  'internal',
] as const

/** What kind of trouble a code stands for; the apps decide by kind, people search by code. */
export type ErrorKind = (typeof errorKinds)[number]

/** An error a person can act on: a stable `code`, a message that names the remedy, and details. */
export class AssayError extends Error {
  override readonly name = 'AssayError'
  readonly code: string
  readonly kind: ErrorKind
  /** Structured facts for machines: JSON values only. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(fault: {
    readonly code: string
    readonly kind: ErrorKind
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
    readonly cause?: unknown
  }) {
    super(fault.message, fault.cause === undefined ? undefined : { cause: fault.cause })
    this.code = fault.code
    this.kind = fault.kind
    this.details = fault.details ?? {}
  }
}

/** The CLI's exit codes: 0 fine, 1 regression at a gate, 2 usage, 3 not measurable, 4 internal. */
export const exitCodes = {
  fine: 0,
  regression: 1,
  usage: 2,
  unmeasurable: 3,
  internal: 4,
} as const

const exitCodeByKind = {
  usage: exitCodes.usage,
  unauthenticated: exitCodes.usage,
  forbidden: exitCodes.usage,
  'not-found': exitCodes.usage,
  conflict: exitCodes.usage,
  gone: exitCodes.unmeasurable,
  unmeasurable: exitCodes.unmeasurable,
  internal: exitCodes.internal,
} as const satisfies Record<ErrorKind, number>

const httpStatusByKind = {
  usage: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  unmeasurable: 422,
  internal: 500,
} as const satisfies Record<ErrorKind, number>

/** The exit code for whatever was thrown; what is not an `AssayError` is internal. */
export const exitCodeOf = (thrown: unknown): number =>
  thrown instanceof AssayError ? exitCodeByKind[thrown.kind] : exitCodes.internal

/** The kind of trouble that an HTTP status of ours stands for; any other status is internal. */
export const errorKindOf = (httpStatus: number): ErrorKind =>
  errorKinds.find((kind) => httpStatusByKind[kind] === httpStatus) ?? 'internal'

/** The HTTP status for whatever was thrown; what is not an `AssayError` is 500. */
export const httpStatusOf = (thrown: unknown): number =>
  thrown instanceof AssayError ? httpStatusByKind[thrown.kind] : 500
