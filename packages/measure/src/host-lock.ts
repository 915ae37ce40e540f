/**
 * Where the host lock lies. Whoever measures on a host must find the same file, whatever their
 * user, environment or installation, or two measurements would disturb each other: so the choice
 * depends on the host alone, never on TMPDIR, XDG_RUNTIME_DIR or the rights of who asks.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** World-writable: S_IWOTH. */
const writableByAll = 0o002

const isOpenToAll = (folder: string): boolean => {
  const facts = statSync(folder, { throwIfNoEntry: false })
  return facts?.isDirectory() === true && (facts.mode & writableByAll) !== 0
}

/**
 * /run/lock where the host lets every user create files there (Debian does), else /tmp, which every
 * host does. Containers see folders of their own: a host shared by several needs one mounted in all.
 */
export const defaultHostLockPath = (root = '/'): string => {
  const folder = isOpenToAll(join(root, 'run/lock')) ? 'run/lock' : 'tmp'
  return join(root, folder, 'assay-host.lock')
}
