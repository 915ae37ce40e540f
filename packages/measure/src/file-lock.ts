/**
 * A lock between processes of one host: flock(2) on a file of its own. The kernel frees it however its
 * holder ends, so that nothing stale is left to be judged. The file goes when the lock is released.
 */
import { closeSync, fstatSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import koffi from 'koffi'

type Flock = (fd: number, operation: number) => number

// sys/file.h
const exclusiveUnlessHeld = 2 | 4

/** Between two looks at a lock that is somebody else's; chosen: what is waited for takes seconds. */
const lookMillis = 100

let flock: Flock | null = null

/** A lock that is held. */
export interface FileLock {
  release(): void
}

/** Takes the lock unless somebody holds it; null if so. Makes the folder. */
export const tryFileLock = (path: string): FileLock | null => {
  // A foreign function has no type of its own: the declaration in the string is what it must be.
  flock ??= koffi.load(null).func('int flock(int, int)') as Flock
  mkdirSync(dirname(path), { recursive: true })
  const fd = openSync(path, 'a')
  // A holder that released removed the file: a lock on that one says nothing about the next.
  const isHeld = flock(fd, exclusiveUnlessHeld) === 0
  const isTheFile = statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino
  if (!isHeld || !isTheFile) {
    closeSync(fd)
    return null
  }
  return {
    release: () => {
      rmSync(path, { force: true })
      closeSync(fd)
    },
  }
}

/** Waits for the lock; rejects with the signal's reason. */
export const takeFileLock = async (path: string, signal?: AbortSignal): Promise<FileLock> => {
  for (;;) {
    signal?.throwIfAborted()
    const lock = tryFileLock(path)
    if (lock !== null) return lock
    await pause(lookMillis, undefined, signal === undefined ? {} : { signal }).catch(
      () => undefined,
    )
  }
}
