/**
 * The two locks of a repository, in the order in which Mercurial takes them: the one of the working
 * directory (.hg/wlock) before the one of the store (.hg/store/lock).
 */
import { join } from 'node:path'
import { type Lock, takeLock } from './lock.ts'

/** How to wait for locks. */
export interface LockOptions {
  /** As Mercurial's `ui.timeout`; its default, 600, if not given. */
  readonly timeoutSeconds?: number
  /** Told once for each lock that has to be waited for. */
  readonly onWait?: (message: string) => void
}

/** Mercurial's default. */
const DEFAULT_TIMEOUT_SECONDS = 600

/** Runs `action` with the store's lock. Throws `locked`, `system`, and what the action throws. */
export function withStoreLock<Result>(
  root: string,
  options: LockOptions,
  action: () => Result,
): Result {
  const path = join(root, '.hg', 'store', 'lock')
  const lock = takeLock({ path, what: `repository ${root}`, ...waiting(options) })
  return releasing(lock, action)
}

/** Runs `action` with both locks. Throws as withStoreLock(). */
export function withRepositoryLocks<Result>(
  root: string,
  options: LockOptions,
  action: () => Result,
): Result {
  const path = join(root, '.hg', 'wlock')
  const lock = takeLock({ path, what: `working directory of ${root}`, ...waiting(options) })
  return releasing(lock, () => withStoreLock(root, options, action))
}

function waiting({ timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, onWait }: LockOptions) {
  return { timeoutSeconds, onWait: onWait ?? (() => undefined) }
}

function releasing<Result>(lock: Lock, action: () => Result): Result {
  try {
    return action()
  } finally {
    lock.release()
  }
}
