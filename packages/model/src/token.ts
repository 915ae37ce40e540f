/**
 * Tokens and scopes: who may ask a server for what. A token is a random text that is shown once and
 * kept as its hash only; what it allows are its scopes. How a request carries it is the apps' business.
 */
import { z } from 'zod'
import { textDigest } from './digest.ts'

/** What can be allowed: look, start and cancel runs, decide on reports, measure, everything. */
export const scopes = ['read', 'run', 'review', 'worker', 'admin'] as const
export const scopeSchema = z.enum(scopes)
export type Scope = z.infer<typeof scopeSchema>

/** Who may start or review runs must see them; a worker sees nothing but its own block. */
const allowedBy: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read'],
  run: ['run', 'read'],
  review: ['review', 'read'],
  worker: ['worker'],
  admin: scopes,
}

/** Whether who holds these scopes may do what asks for `needed`. */
export const allows = (held: readonly Scope[], needed: Scope): boolean =>
  held.some((scope) => allowedBy[scope].includes(needed))

/** By which a token is known in a text, so that one that leaked can be searched for. */
const tokenPrefix = 'assay_'

const tokenAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 32 characters out of 62 are 190 bits: nobody guesses one, and a plain hash of it is safe. */
const tokenLength = 32

/** A new token's text; `below` gives an unpredictable whole number from 0 to below its bound. */
export const newTokenText = (below: (bound: number) => number): string =>
  tokenPrefix +
  Array.from({ length: tokenLength }, () => tokenAlphabet[below(tokenAlphabet.length)]).join('')

/** What is kept of a token's text: its SHA-256, as 64 hex digits. */
export const tokenHashOf = (text: string): string => textDigest(text)

/** A token as everybody may see it: without its text. Times are milliseconds since 1970. */
export const tokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema).readonly(),
  createdAt: z.number(),
  /** From when it is worth nothing; null for never. */
  expiresAt: z.number().nullable(),
  /** To within a minute; null if it was never used. */
  lastUsedAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
})
export type Token = z.infer<typeof tokenSchema>

const lifetimeUnits: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** How long a token holds: `90m`, `12h`, `30d`. */
export const lifetimeSchema = z.string().regex(/^[1-9]\d{0,3}[mhd]$/, 'write 90m, 12h or 30d')

/** The milliseconds of a lifetime. */
export const lifetimeMillis = (lifetime: z.infer<typeof lifetimeSchema>): number =>
  Number(lifetime.slice(0, -1)) * (lifetimeUnits[lifetime.slice(-1)] ?? 0)

/** Make a token. */
export const createTokenRequestSchema = z.strictObject({
  /** Who or what will use it. */
  name: z.string().trim().min(1).max(100),
  scopes: z.array(scopeSchema).min(1).max(scopes.length).readonly(),
  /** Absent: it holds until it is revoked. */
  expires: lifetimeSchema.exactOptional(),
})
export type CreateTokenRequest = z.infer<typeof createTokenRequestSchema>

/** A new token with its text, which nobody will see again. */
export const createdTokenSchema = tokenSchema.extend({ token: z.string() })
export type CreatedToken = z.infer<typeof createdTokenSchema>

export const listTokensResponseSchema = z.strictObject({
  tokens: z.array(tokenSchema).readonly(),
})
