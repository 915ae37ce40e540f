/**
 * The token with which everything begins: a store without any gets one of scope `admin`, which is
 * handed out before it is kept, so that there is never one that nobody saw.
 */
import { chmodSync, writeFileSync } from 'node:fs'
import { makeToken, type TokenSite } from '@assay/orchestrator'
import type { ApiConfig } from './config.ts'
import { tokenFileUnusable } from './errors.ts'

/** Nobody but the owner may read it, also where the file was there before. */
const writeSecret = (path: string, text: string): void => {
  try {
    writeFileSync(path, '', { mode: 0o600 })
    chmodSync(path, 0o600)
    writeFileSync(path, `${text}\n`)
  } catch (error) {
    throw tokenFileUnusable(path, error)
  }
}

/** The token itself, or the file that it was written to. */
export type FirstToken = { readonly token: string } | { readonly file: string }

/** Makes the first token if there is none; `tell` hands it to whoever starts the server. */
export const makeFirstToken = (
  config: Pick<ApiConfig, 'token-file'>,
  tell: (first: FirstToken) => void,
  site: TokenSite,
): void => {
  if (site.store.tokens.list().length > 0) return
  const path = config['token-file']
  const show = (text: string): void => {
    if (path === undefined) {
      tell({ token: text })
    } else {
      writeSecret(path, text)
      tell({ file: path })
    }
  }
  makeToken({ name: 'first', scopes: ['admin'] }, site, show)
}
