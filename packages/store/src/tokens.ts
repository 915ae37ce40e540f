/** Tokens: kept under the hash of their text; one that was revoked stays, as what it is. */
import { scopeSchema, type Token } from '@assay/model'
import { z } from 'zod'
import type { Context } from './context.ts'
import { tokenNotFound } from './errors.ts'
import { parseColumn } from './json-column.ts'
import type { TokenRow } from './tables/token.ts'

/** How exactly it is known when a token was used: a write for each request would be dear. */
const usedWithinMillis = 60_000

/** A token to be kept. */
export type NewToken = Pick<Token, 'id' | 'name' | 'scopes' | 'expiresAt'> & {
  /** `tokenHashOf` its text. */
  readonly hash: string
}

/** The store's tokens. */
export interface Tokens {
  create(token: NewToken): Token
  /** From the oldest, revoked and expired ones too. */
  list(): readonly Token[]
  /** Errors: `token-not-found`. */
  get(id: string): Token
  /** The token whose text has this hash, whatever it is still worth; null if there is none. */
  byHash(hash: string): Token | null
  /** Notes that it is used now, at most once a minute; an id that is none is nobody's. */
  used(id: string): void
  /** Nothing changes for one that is revoked. Errors: `token-not-found`. */
  revoke(id: string): Token
}

const tokenFrom = ({ scopes, ...row }: TokenRow): Token => ({
  ...row,
  scopes: parseColumn(z.array(scopeSchema), scopes, `scopes of token ${row.id}`),
})

const getToken = ({ statements }: Context, id: string): Token => {
  const row = statements.token.byId.get(id)
  if (!row) throw tokenNotFound(id)
  return tokenFrom(row)
}

/** The tokens of an open store. */
export const tokensOf = (context: Context): Tokens => {
  const { token } = context.statements
  return {
    create: ({ scopes, ...facts }) =>
      context.write(() => {
        const createdAt = context.now()
        token.insert.run({ ...facts, scopes: JSON.stringify(scopes), createdAt })
        return getToken(context, facts.id)
      }),
    list: () => token.all.all().map(tokenFrom),
    get: (id) => getToken(context, id),
    byHash: (hash) => {
      const row = token.byHash.get(hash)
      return row === undefined ? null : tokenFrom(row)
    },
    used: (id) => {
      const at = context.now()
      const row = token.byId.get(id)
      if (row === undefined) return
      if (row.lastUsedAt !== null && Math.abs(at - row.lastUsedAt) < usedWithinMillis) return
      context.write(() => token.used.run(at, id))
    },
    revoke: (id) =>
      context.write(() => {
        token.revoke.run(context.now(), id)
        return getToken(context, id)
      }),
  }
}
