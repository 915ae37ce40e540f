/**
 * Who asks, and whether they may. Knows nothing of HTTP: whatever carries a token, a header now or
 * a page's cookie, hands its text in. Who sits at this machine may look without one, nothing more;
 * nobody else may do anything.
 */
import { type Actor, allows, type Scope, type Token, tokenHashOf } from '@assay/model'
import { scopeMissing, tokenExpired, tokenMissing, tokenRevoked, tokenUnknown } from './errors.ts'

/** What an endpoint asks of who calls it; `open` asks nothing. */
export type Access = Scope | 'open'

/** Who asks. */
export type Principal =
  | {
      readonly kind: 'token'
      readonly id: string
      readonly name: string
      readonly scopes: readonly Scope[]
      /** Why it is worth nothing any more; null while it holds. */
      readonly over: 'expired' | 'revoked' | null
    }
  /** Somebody with a token that nobody made. */
  | { readonly kind: 'unknown' }
  /** Somebody at this machine, without a token. */
  | { readonly kind: 'local' }
  /** Somebody elsewhere, without a token. */
  | { readonly kind: 'nobody' }

/** What is known of who asks. */
export interface Asking {
  /** Null without a token. */
  readonly tokenText: string | null
  /** Whether it comes from this machine itself. */
  readonly isLocal: boolean
}

/** Where tokens are looked up. */
export interface TokenBook {
  /** By the hash of its text; null for none. */
  byHash(hash: string): Token | null
  /** Hash of the token that the server's own worker has; it lives as long as the server. */
  readonly workerTokenHash: string
  readonly now: () => number
}

const overOf = ({ expiresAt, revokedAt }: Token, now: number): 'expired' | 'revoked' | null => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : null
}

const ownWorker: Principal = {
  ...{ kind: 'token', id: 'embedded-worker', name: 'embedded worker', scopes: ['worker'] },
  over: null,
}

/**
 * Who asks. A token is looked up by its hash, so that the time that takes tells nothing of it; one
 * that was given and does not hold is never replaced by being local.
 */
export const identify = ({ tokenText, isLocal }: Asking, book: TokenBook): Principal => {
  if (tokenText === null) return { kind: isLocal ? 'local' : 'nobody' }
  const hash = tokenHashOf(tokenText)
  if (hash === book.workerTokenHash) return ownWorker
  const token = book.byHash(hash)
  if (token === null) return { kind: 'unknown' }
  const { id, name, scopes } = token
  return { kind: 'token', id, name, scopes, over: overOf(token, book.now()) }
}

/**
 * Lets them pass or throws. Errors: `token-missing`, `token-unknown`, `token-expired`,
 * `token-revoked`, `scope-missing`.
 */
export const requireAccess = (
  principal: Principal,
  { access, isChange }: { readonly access: Access; readonly isChange: boolean },
): void => {
  if (access === 'open') return
  switch (principal.kind) {
    case 'unknown':
      throw tokenUnknown()
    case 'nobody':
      throw tokenMissing(access)
    case 'local':
      if (access !== 'read' || isChange) throw tokenMissing(access)
      return
    case 'token':
      if (principal.over === 'revoked') throw tokenRevoked(principal.name)
      if (principal.over === 'expired') throw tokenExpired(principal.name)
      if (!allows(principal.scopes, access)) throw scopeMissing(principal, access)
  }
}

/** Whether what they were let in with is worth something still, while an answer goes on. */
export const holdsStill = (
  principal: Principal,
  book: { readonly get: (id: string) => Token; readonly now: () => number },
): boolean =>
  principal.kind !== 'token' ||
  principal === ownWorker ||
  overOf(book.get(principal.id), book.now()) === null

/** Whether they may do everything. */
export const isAdmin = (principal: Principal): boolean =>
  principal.kind === 'token' && principal.over === null && allows(principal.scopes, 'admin')

/** How the audit log calls them. */
export const actorOf = (principal: Principal, address: string | null): Actor =>
  principal.kind === 'token'
    ? { tokenId: principal.id, name: principal.name, address }
    : { tokenId: null, name: principal.kind === 'local' ? 'loopback' : 'nobody', address }
