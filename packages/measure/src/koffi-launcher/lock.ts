/** Serves `lock`: the host lock, as native/lock.c. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { constants as osConstants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { getSystemErrorMap } from 'node:util'
import { SystemFault } from '../system-fault.ts'
import { answer, lastValue, type Request, refuse } from './conversation.ts'
import { tryLock } from './libc.ts'

/** A blocking flock would hold up the launcher's end, so this one looks again from time to time. */
const lookAgainMillis = 250

const errnoOf = (cause: unknown): number | null => {
  if (cause instanceof SystemFault) return cause.errno
  if (cause instanceof Error && 'errno' in cause && typeof cause.errno === 'number')
    return Math.abs(cause.errno)
  return null
}

/** Opens the file for every user of the host; see native/lock.c for why in these steps. */
const openLock = (path: string): number => {
  const open = (flags: number): number => openSync(path, flags | constants.O_NOFOLLOW, 0o666)
  for (;;) {
    try {
      return open(constants.O_RDWR)
    } catch (cause) {
      if (errnoOf(cause) === osConstants.errno.EACCES) return open(constants.O_RDONLY)
      if (errnoOf(cause) !== osConstants.errno.ENOENT) throw cause
    }
    try {
      const file = open(constants.O_RDWR | constants.O_CREAT | constants.O_EXCL)
      fchmodSync(file, 0o666)
      return file
    } catch (cause) {
      if (errnoOf(cause) !== osConstants.errno.EEXIST) throw cause
    }
  }
}

const stillNamed = (file: number, path: string): boolean => {
  const named = statSync(path, { throwIfNoEntry: false })
  const locked = fstatSync(file)
  return named !== undefined && named.ino === locked.ino && named.dev === locked.dev
}

const takeWithin = async (path: string, millis: number): Promise<number | null> => {
  const until = performance.now() + millis
  for (;;) {
    const file = openLock(path)
    if (tryLock(file)) {
      if (stillNamed(file, path)) return file
    } else if (performance.now() >= until) {
      closeSync(file)
      return null
    } else {
      await sleep(Math.min(lookAgainMillis, Math.max(1, until - performance.now())))
    }
    closeSync(file)
  }
}

const note = (file: number): void => {
  try {
    ftruncateSync(file)
    writeSync(file, `${process.pid}\n`, 0)
  } catch {
    // Best effort: the lock holds without the note, which is there for people and for "busy".
  }
}

const holderOf = (path: string): number | null => {
  const pid = Number.parseInt(readFileSync(path, 'latin1'), 10)
  return pid > 0 ? pid : null
}

/** Takes the lock for the life of this process and answers. */
export const lock = async (request: Request): Promise<void> => {
  const path = lastValue(request, 'path')
  if (path === null) {
    refuse('a lock needs a path')
    return
  }
  try {
    const file = await takeWithin(path, Number(lastValue(request, 'wait') ?? 0) / 1e6)
    if (file === null) {
      answer({ type: 'lock', state: 'busy', holder: holderOf(path) })
      return
    }
    note(file)
    answer({ type: 'lock', state: 'held' })
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    const message = getSystemErrorMap().get(-errno)?.[1] ?? `error ${errno}`
    answer({ type: 'lock', state: 'failed', errno, message })
  }
}
