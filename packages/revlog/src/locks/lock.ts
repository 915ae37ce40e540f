/**
 * One lock in Mercurial's form: a symbolic link, which the file system makes or refuses in one step,
 * pointing at the name of who holds it. A lock of a process of this host that has died is broken; for
 * a living holder it is waited.
 */
import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import { codeOf, RevlogError, reasonOf } from '../errors.ts'
import { formatHolder, isDead, ownHolder, parseHolder } from './lock-holder.ts'

/** What to lock. */
export interface LockRequest {
  readonly path: string
  /** What the lock stands for, as messages name it: `repository /srv/x`. */
  readonly what: string
  /** How long to wait for a living holder; 0 not at all, a negative number for ever. */
  readonly timeoutSeconds: number
  /** Told once that it has to be waited, and for whom. */
  readonly onWait: (message: string) => void
}

/** A lock until release(). */
export interface Lock {
  /** The second call does nothing. */
  release(): void
}

/** Mercurial asks once a second; a lock that is soon free need not be waited for so long. */
const RETRY_MILLIS = 100

/** Takes the lock. Throws `locked` when its holder keeps it, `system` when it cannot be made. */
export function takeLock(request: LockRequest): Lock {
  const own = formatHolder(ownHolder())
  const limitMillis = request.timeoutSeconds * 1_000
  let waitedMillis = 0
  for (;;) {
    const holder = tryLock(request, own)
    if (holder === undefined) return heldLock(request.path, own)
    if (breakIfDead(request.path, holder, own)) continue
    if (limitMillis >= 0 && waitedMillis >= limitMillis) throw heldError(request, holder)
    if (waitedMillis === 0) request.onWait(waitMessage(request, holder))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MILLIS)
    waitedMillis += RETRY_MILLIS
  }
}

function heldLock(path: string, own: string): Lock {
  let held = true
  return {
    release() {
      if (!held) return
      held = false
      // Somebody who broke it wrongly has it now: it is not ours to take away.
      if (readLock(path) === own) unlinkIfThere(path)
    },
  }
}

/** Undefined when the lock is ours, else what the lock says of its holder. */
function tryLock({ path, what }: LockRequest, own: string): string | undefined {
  for (;;) {
    try {
      symlinkSync(own, path)
      return undefined
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') {
        throw new RevlogError('system', `could not lock ${what}: ${systemWords(cause)}`, { cause })
      }
    }
    const holder = readLock(path)
    if (holder !== undefined) return holder
  }
}

/** Undefined when it is gone meanwhile. A lock that is a file is of a system without links. */
function readLock(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    if (codeOf(cause) === 'EINVAL') return 'another program'
    throw new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
  }
}

/**
 * Removes a dead process's lock, under a lock of its own: of two who found it dead, the slower one
 * would otherwise remove the lock that the faster one has just taken. True if it is worth trying again
 * at once.
 */
function breakIfDead(path: string, holderText: string, own: string): boolean {
  if (!isDeadText(holderText)) return false
  const guard = `${path}.break`
  try {
    symlinkSync(own, guard)
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') return false
    // A breaker that died itself must not block everybody for ever.
    const breaker = readLock(guard)
    if (breaker !== undefined && isDeadText(breaker)) unlinkIfThere(guard)
    return false
  }
  try {
    const now = readLock(path)
    if (now !== undefined && isDeadText(now)) unlinkIfThere(path)
    return true
  } finally {
    unlinkIfThere(guard)
  }
}

function isDeadText(text: string): boolean {
  const holder = parseHolder(text)
  return holder !== undefined && isDead(holder)
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    throw new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
  }
}

/** Mercurial's words. */
function waitMessage({ what }: LockRequest, holderText: string): string {
  const holder = parseHolder(holderText)
  const who =
    holder === undefined ? `'${holderText}'` : `process '${holder.pid}' on host '${holder.host}'`
  return `waiting for lock on ${what} held by ${who}`
}

/** Mercurial's words. */
function heldError({ what }: LockRequest, holderText: string): RevlogError {
  return new RevlogError('locked', `${what}: timed out waiting for lock held by '${holderText}'`)
}

/** `Read-only file system` of `EROFS: read-only file system, symlink ...`. */
function systemWords(cause: unknown): string {
  const [, words] = /^[A-Z]+: ([^,]+),/.exec(reasonOf(cause)) ?? []
  return words === undefined ? reasonOf(cause) : words.charAt(0).toUpperCase() + words.slice(1)
}
