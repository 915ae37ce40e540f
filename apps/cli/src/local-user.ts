/** Who is at the keyboard, as the audit log and reviews name them. */
import { userInfo } from 'node:os'
import type { Actor } from '@assay/model'

/** A user without an entry in the password file has only a number. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

/** The person who may write the store's file, and so needs no token. */
export const localActor = (): Actor => ({
  tokenId: null,
  name: `local user ${userName()}`,
  address: null,
})
