/**
 * The tracked files of the main line while a history is generated: their names, which are invented
 * here, and when each was last changed, which tells a merge what both sides changed.
 */
import type { ManifestFlag } from '@assay/revlog'
import type { TextSource } from './text-source.ts'

const EXTENSIONS = ['.py', '.c', '.h', '.txt', '.java', '.js', '.html', '.xml', '']

/** One in this many files is executable, or a link. */
const EXECUTABLE_ONE_IN = 30
const LINK_ONE_IN = 400

/** One in this many new files opens a directory of its own. */
const NEW_DIRECTORY_ONE_IN = 7

/** The files of the main line. */
export class FileTree {
  readonly #source: TextSource
  readonly #directoryDepth: number
  readonly #directories: string[] = ['']
  readonly #directoryNames = new Set<string>([''])
  readonly #used = new Set<string>()
  readonly #tracked: string[] = []
  readonly #lastChange = new Map<string, number>()
  readonly #flags = new Map<string, ManifestFlag>()

  constructor(source: TextSource, directoryDepth: number) {
    this.#source = source
    this.#directoryDepth = directoryDepth
  }

  /** Number of tracked files. */
  get size(): number {
    return this.#tracked.length
  }

  /** Number of files that ever had a name here. */
  get everUsed(): number {
    return this.#used.size
  }

  /** A new name that no file ever had, with its flag. It is not tracked before `track`. */
  invent(): string {
    const { pick, pickSkewed, word } = this.#source
    const directory =
      pick(NEW_DIRECTORY_ONE_IN) === 0 ? this.#newDirectory() : pickSkewed(this.#directories.length)
    const folder = this.#directories[directory] ?? ''
    const stem = pick(3) === 0 ? capitalized(word()) + capitalized(word()) : `${word()}_${word()}`
    const extension = EXTENSIONS[pickSkewed(EXTENSIONS.length)] ?? ''
    let path = `${folder}${stem}${extension}`
    for (let copy = 2; this.#taken(path); copy += 1) path = `${folder}${stem}${copy}${extension}`
    this.#used.add(path)
    const flag = pick(LINK_ONE_IN) === 0 ? 'l' : pick(EXECUTABLE_ONE_IN) === 0 ? 'x' : ''
    if (flag !== '') this.#flags.set(path, flag)
    return path
  }

  /** A file's flag, the same for all its life. */
  flagOf(path: string): ManifestFlag {
    return this.#flags.get(path) ?? ''
  }

  /** Some tracked file, busy ones more often; undefined when there is none. */
  choose(): string | undefined {
    return this.#tracked[this.#source.pickSkewed(this.#tracked.length)]
  }

  /** Notes that the main line's changeset number `sequence` has (changed) the file. */
  touch(path: string, sequence: number): void {
    this.#lastChange.set(path, sequence)
  }

  /** As touch, for a file that the main line did not have. */
  track(path: string, sequence: number): void {
    this.#tracked.push(path)
    this.touch(path, sequence)
  }

  /** Takes some file away and gives its name; undefined when it may not go or is the last one. */
  removeOne(sequence: number, mayGo: (path: string) => boolean): string | undefined {
    const at = this.#source.pick(this.#tracked.length)
    const path = this.#tracked[at]
    if (this.#tracked.length < 2 || path === undefined || !mayGo(path)) return undefined
    this.#tracked.splice(at, 1)
    this.touch(path, sequence)
    return path
  }

  /** Whether the main line changed the file after its changeset number `sequence`. */
  changedAfter(path: string, sequence: number): boolean {
    return (this.#lastChange.get(path) ?? -1) > sequence
  }

  /** Whether the main line ever had the file. */
  everTracked(path: string): boolean {
    return this.#lastChange.has(path)
  }

  #newDirectory(): number {
    const { pick, word } = this.#source
    const parent = this.#directories[pick(this.#directories.length)] ?? ''
    const depth = parent.split('/').length - 1
    const inside = depth < this.#directoryDepth ? parent : ''
    const folder = `${inside}${word()}/`
    // A name that is a file already would be both; a directory again is just used again.
    if (this.#used.has(folder.slice(0, -1))) return 0
    if (this.#directoryNames.has(folder)) return this.#directories.indexOf(folder)
    this.#directoryNames.add(folder)
    return this.#directories.push(folder) - 1
  }

  #taken(path: string): boolean {
    return this.#used.has(path) || this.#directoryNames.has(`${path}/`)
  }
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
