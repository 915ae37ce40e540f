/**
 * Which files of a repository make a dataset: its history and the caches of it. Not its working
 * files, and not its configuration, by which a repository that comes from elsewhere could start programs.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { datasetSourceUnusable } from '../errors.ts'

/** Directly in `.hg`. */
export const singleFiles: readonly string[] = ['requires', '00changelog.i', 'bookmarks']
export const folders: readonly string[] = ['store', 'cache']

/** What a transaction leaves, and who is at work: of no meaning to another repository. */
const isTransient = (name: string): boolean => /^(undo|journal|lock$|wlock$)/.test(name)

/** Whether a file belongs to a dataset, by its path below `.hg`. */
export const isHistory = ([first, ...rest]: readonly string[]): boolean => {
  if (first === undefined) return false
  if (rest.length === 0) return singleFiles.includes(first)
  if (first === 'cache') return rest.length === 1
  return first === 'store' && !(rest.length === 1 && isTransient(rest[0] ?? ''))
}

/** Removes everything that is no history: configuration, transactions' leavings, a tool's notes. */
export const keepHistory = (directory: string): void => {
  for (const name of readdirSync(directory)) {
    if (name !== '.hg') rmSync(join(directory, name), { recursive: true })
  }
  const hg = join(directory, '.hg')
  for (const name of readdirSync(hg)) {
    if (folders.includes(name) || singleFiles.includes(name)) continue
    rmSync(join(hg, name), { recursive: true })
  }
  for (const name of readdirSync(join(hg, 'store')).filter(isTransient)) {
    rmSync(join(hg, 'store', name), { recursive: true })
  }
}

/**
 * Puts the list of a store's files in order. hg writes it in that of a hash table with a seed of its own,
 * so that the same history would have another digest each time.
 */
export const orderFileList = (directory: string): void => {
  const path = join(directory, '.hg', 'store', 'fncache')
  if (!existsSync(path)) return
  const lines = readFileSync(path, 'latin1').split('\n')
  const names = lines.filter((line) => line !== '').sort()
  writeFileSync(path, names.map((name) => `${name}\n`).join(''), 'latin1')
}

const kindOfEntry = (path: string): 'file' | 'folder' | 'other' | 'none' => {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return 'none'
  if (facts.isDirectory()) return 'folder'
  return facts.isFile() ? 'file' : 'other'
}

/**
 * Checks that a folder is a repository which has its whole history to itself, as plain files. Throws
 * `dataset-source-unusable`, in words about `place`, from where it comes.
 */
export const checkRepository = (directory: string, place: string): void => {
  const hg = join(directory, '.hg')
  const store = join(hg, 'store')
  if (kindOfEntry(hg) !== 'folder') throw datasetSourceUnusable(place, 'is no Mercurial repository')
  if (kindOfEntry(join(hg, 'sharedpath')) !== 'none') {
    throw datasetSourceUnusable(place, 'is a share; name the repository that it shares')
  }
  const isWhole = kindOfEntry(join(hg, 'requires')) === 'file' && kindOfEntry(store) === 'folder'
  if (!isWhole) throw datasetSourceUnusable(place, 'has no store of revlogs')
  if (kindOfEntry(join(store, 'journal')) !== 'none') {
    throw datasetSourceUnusable(place, 'has an interrupted transaction; `hg recover` ends it')
  }
  if (kindOfEntry(join(store, '00changelog.i')) !== 'file') {
    throw datasetSourceUnusable(place, 'has no changesets')
  }
  for (const entry of readdirSync(store, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory() || isTransient(entry.name)) continue
    const name = join(entry.parentPath, entry.name)
    throw datasetSourceUnusable(place, `has a link or device in its store: ${name}`)
  }
}

/** How large the history is. */
export interface HistorySize {
  readonly revisions: number
  /** Files over all of history. */
  readonly files: number
}

const isFilelog = (line: string): boolean => line.startsWith('data/') && line.endsWith('.i')

/** Counts changesets and files, whatever the formats of the filelogs. */
export const sizeOfHistory = async (directory: string): Promise<HistorySize> => {
  const store = join(directory, '.hg', 'store')
  // Loaded for this alone: the start of every other command would wait for it.
  const { openRevlog } = await import('@assay/revlog')
  const changelog = openRevlog({ indexPath: join(store, '00changelog.i'), mode: 'no-mmap' })
  const revisions = changelog.length
  changelog.close()
  const fncache = join(store, 'fncache')
  const names = kindOfEntry(fncache) === 'file' ? readFileSync(fncache, 'latin1').split('\n') : []
  return { revisions, files: new Set(names.filter(isFilelog)).size }
}
