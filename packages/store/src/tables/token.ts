/** SQL of the table `token`. */
import type { Preparer } from '../statement.ts'

/** A token as it is kept, its hash apart. */
export interface TokenRow {
  readonly id: string
  readonly name: string
  /** JSON of its scopes. */
  readonly scopes: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

const columns = `id, name, scopes, created_at AS createdAt, expires_at AS expiresAt,
  last_used_at AS lastUsedAt, revoked_at AS revokedAt`

/** Statements of this family. */
export const tokenStatements = ({ command, query }: Preparer) => ({
  insert: command<[Omit<TokenRow, 'lastUsedAt' | 'revokedAt'> & { readonly hash: string }]>(`
    INSERT INTO token (id, hash, name, scopes, created_at, expires_at)
    VALUES (:id, :hash, :name, :scopes, :createdAt, :expiresAt)
  `),
  all: query<[], TokenRow>(`SELECT ${columns} FROM token ORDER BY token_key`),
  byId: query<[string], TokenRow>(`SELECT ${columns} FROM token WHERE id = ?`),
  byHash: query<[string], TokenRow>(`SELECT ${columns} FROM token WHERE hash = ?`),
  used: command<[at: number, id: string]>('UPDATE token SET last_used_at = ? WHERE id = ?'),
  revoke: command<[at: number, id: string]>(`
    UPDATE token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL
  `),
})
