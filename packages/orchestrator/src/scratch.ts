/** Scratch folders of blocks: named after their process, so that those of dead ones can be cleared. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = 'assay-block-'

/** A new empty folder of this process below `root`. */
export const makeScratchDirectory = (root: string): Promise<string> =>
  mkdtemp(join(root, `${prefix}${process.pid}-`))

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is alive too, though it may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes what processes that were killed left below `root`. */
export const clearScratch = async (root: string): Promise<void> => {
  for (const name of await readdir(root)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    // Another user's folder stays; whoever owns it clears it.
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined)
  }
}
