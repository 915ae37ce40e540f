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

/** Makes the first token if there is none; `out` shows a line to whoever starts the server. */
export const makeFirstToken = (
  config: Pick<ApiConfig, 'token-file'>,
  out: (text: string) => void,
  site: TokenSite,
): void => {
  if (site.store.tokens.list().length > 0) return
  const path = config['token-file']
  const show = (text: string): void => {
    if (path === undefined) {
      out(`the first token, of scope admin; it is shown only now: ${text}\n`)
    } else {
      writeSecret(path, text)
      out(`the first token, of scope admin, is in ${path}\n`)
    }
  }
  makeToken({ name: 'first', scopes: ['admin'] }, site, show)
}
