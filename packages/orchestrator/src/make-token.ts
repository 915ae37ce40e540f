/** Makes a token: its text is handed out once, the store keeps the hash. */
import {
  type CreatedToken,
  type CreateTokenRequest,
  lifetimeMillis,
  newTokenText,
  tokenHashOf,
} from '@assay/model'
import type { Store } from '@assay/store'

/** What making tokens needs. */
export interface TokenSite {
  readonly store: Pick<Store, 'tokens'>
  readonly now: () => number
  readonly newId: () => string
  /** An unpredictable whole number from 0 to below its bound. */
  readonly randomBelow: (bound: number) => number
}

/**
 * The new token with its text, which is kept nowhere. `show` sees the text before the token counts,
 * so that one whose text could not be shown is not made.
 */
export const makeToken = (
  { name, scopes, expires }: CreateTokenRequest,
  { store, now, newId, randomBelow }: TokenSite,
  show: (text: string) => void = () => undefined,
): CreatedToken => {
  const text = newTokenText(randomBelow)
  show(text)
  const expiresAt = expires === undefined ? null : now() + lifetimeMillis(expires)
  const token = store.tokens.create({
    ...{ id: newId(), hash: tokenHashOf(text), name, expiresAt },
    scopes: [...new Set(scopes)],
  })
  return { ...token, token: text }
}
