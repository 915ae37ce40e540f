/** Where the command line finds things; the only place that reads its environment. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Folder and file of a store, beside the campaigns it belongs to. */
const storeFolder = '.assay'
const storeFile = 'assay.db'

/** The nearest `.assay/assay.db` from `directory` upwards, or where one would be made there. */
const storePath = (directory: string): string => {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const path = join(folder, storeFolder, storeFile)
    if (existsSync(path)) return path
    if (folder === dirname(folder)) return join(resolve(directory), storeFolder, storeFile)
  }
}

/** The store that `--db` names, or the nearest. */
export const chosenStorePath = (
  { db }: { readonly db?: string },
  { workingDirectory }: Surroundings,
): string => (db === undefined ? storePath(workingDirectory) : resolve(workingDirectory, db))

/** Prepared datasets live beside the store. */
export const datasetsDirectory = (store: string): string => join(dirname(store), 'datasets')

/** What a command knows of its surroundings. */
export interface Surroundings {
  readonly workingDirectory: string
  /** Writes to standard output: results. */
  readonly out: (text: string) => void
  /** Writes to standard error: progress and complaints. */
  readonly err: (text: string) => void
  /** Whether standard error is a terminal that can be rewritten. */
  readonly isTerminal: boolean
  /** Of the environment: what to show a server; absent where it is not set. */
  readonly token?: string
  /** Of the environment: a variable that a command is told to hand on; undefined where it is not set. */
  readonly variable: (name: string) => string | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Aborts at the first Ctrl-C. */
  readonly stop: AbortSignal
}
