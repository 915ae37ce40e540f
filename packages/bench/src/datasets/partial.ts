/**
 * Folders in which datasets are prepared: beside the wanted one, named after the process that is at
 * work, and renamed when all is whole. What a process left that is gone is cleared away.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tryFileLock } from '@assay/measure'

/** Between a folder's name and the process that prepares it. */
const infix = '.partial-'

/** Whether a name is that of a folder in which something is prepared. */
export const isPartial = (name: string): boolean => name.includes(infix)

/** Makes the folder beside `directory` in which it is prepared. */
export const startPartial = (directory: string): string => {
  const parent = dirname(directory)
  mkdirSync(parent, { recursive: true })
  const prefix = `${basename(directory)}${infix}`
  sweep(parent, (name) => name.startsWith(prefix))
  const partial = join(parent, `${prefix}${process.pid}`)
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial)
  return partial
}

/** A name for what is about to be removed: swept with the rest should this process end first. */
export const doomedName = (directory: string): string =>
  `${directory}.removed${infix}${process.pid}`

/** Where the lock of a dataset's folder lies while it is held. */
export const lockPathOf = (folder: string): string => `${folder}.lock`

/**
 * Clears away what processes that are gone have left in a folder of datasets. Containers may share
 * one and do not see each other's processes, but each other's locks.
 */
export const sweepPartials = (parent: string): void => {
  if (!existsSync(parent)) return
  for (const name of readdirSync(parent).filter(isPartial)) {
    const lock = tryFileLock(lockPathOf(join(parent, name.slice(0, name.indexOf(infix)))))
    if (lock === null) continue
    sweep(parent, (one) => one === name)
    lock.release()
  }
}

const sweep = (parent: string, isOne: (name: string) => boolean): void => {
  for (const name of readdirSync(parent).filter(isOne)) {
    const pid = name.slice(name.lastIndexOf(infix) + infix.length)
    if (isRunning(Number(pid))) continue
    rmSync(join(parent, name), { recursive: true, force: true })
  }
}

const isRunning = (pid: number): boolean => {
  // A name that merely looks like ours is nobody's leaving.
  if (!Number.isInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process may not be signalled, but it runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Bytes of all files below a folder. */
export const treeBytes = (directory: string): number =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
