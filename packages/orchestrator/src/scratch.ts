/** Scratch folders of blocks: named after their process, so that those of dead ones can be cleared. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

const prefix = 'assay-block-'

/** Where a host keeps what its blocks leave behind. */
export interface ScratchRoots {
  readonly scratchRoot: string
  /** For copies of datasets: on their file system. It need not be there. */
  readonly copiesRoot: string
}

/** The folders of one block. */
export interface Scratch {
  /** An empty folder. */
  readonly directory: string
  /** A folder for copies of datasets, made by whoever needs it; it may be the same one. */
  readonly copiesDirectory: string
  /** Removes both. */
  remove(): Promise<void>
}

/** Folders of this process for a block. */
export const openScratch = async ({ scratchRoot, copiesRoot }: ScratchRoots): Promise<Scratch> => {
  const directory = await mkdtemp(join(scratchRoot, `${prefix}${process.pid}-`))
  const copiesDirectory = join(copiesRoot, basename(directory))
  return {
    directory,
    copiesDirectory,
    async remove() {
      await rm(copiesDirectory, { recursive: true, force: true })
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The device of a path, or of the nearest folder above it that is there. */
const deviceOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).dev
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error
    return deviceOf(dirname(path))
  }
}

/**
 * Where to copy datasets: what a file system can share or do faster or slower is part of what is
 * measured, so a copy lies on the same one as its original.
 */
export const copiesRootFor = async (
  scratchRoot: string,
  datasetsDirectory: string,
): Promise<string> => {
  const [scratch, datasets] = [resolve(scratchRoot), resolve(datasetsDirectory)]
  const isSame = (await deviceOf(scratch)) === (await deviceOf(datasets))
  return isSame ? scratch : join(datasets, '.copies')
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is alive too, though it may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const namesIn = (root: string): Promise<readonly string[]> =>
  readdir(root).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })

/** Removes what processes that were killed left below `root`. */
export const clearScratch = async (root: string): Promise<void> => {
  for (const name of await namesIn(root)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    // Another user's folder stays; whoever owns it clears it.
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined)
  }
}
