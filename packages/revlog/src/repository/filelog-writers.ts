/**
 * The filelogs of a repository that is being written: one writer per tracked path, the fncache that
 * lists their files, and the file parents that a new revision gets.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ByteString, bytesOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { encodeStorePath } from '../store/encode-path.ts'
import { serializeFncache } from '../store/fncache.ts'
import { openRevlogWriter, type RevlogWriter, type RevlogWriterOptions } from '../writer/index.ts'

/** What all filelogs of a repository have in common. */
export type FilelogSettings = Omit<RevlogWriterOptions, 'indexPath' | 'dataPath' | 'fullTexts'>

const ENCODING = { fncache: true, dotencode: true }

/** Writers by path; made when a path is first written. */
export class FilelogWriters {
  readonly #storePath: string
  readonly #settings: FilelogSettings
  readonly #writers = new Map<ByteString, RevlogWriter>()
  readonly #changed = new Map<ByteString, RevlogWriter>()
  readonly #listed = new Set<ByteString>()

  constructor(storePath: string, settings: FilelogSettings) {
    this.#storePath = storePath
    this.#settings = settings
  }

  /** Number of paths that were ever written. */
  get count(): number {
    return this.#writers.size
  }

  /** The writer of a path, noted as one that the next flush has to visit. */
  toWrite(path: ByteString): RevlogWriter {
    let writer = this.#writers.get(path)
    if (writer === undefined) {
      writer = openRevlogWriter({
        ...this.#settings,
        indexPath: this.#onDisk(`data/${path}.i`),
        dataPath: this.#onDisk(`data/${path}.d`),
      })
      this.#writers.set(path, writer)
    }
    this.#changed.set(path, writer)
    return writer
  }

  /** The writer of a path that was written before. */
  get(path: ByteString): RevlogWriter | undefined {
    return this.#writers.get(path)
  }

  /** Writes what waits, and the fncache when it has new names. */
  flush(): void {
    const listed = this.#listed.size
    for (const [path, writer] of this.#changed) {
      if (writer.length === 0) continue
      writer.flush()
      this.#listed.add(`data/${path}.i`)
      if (writer.split) this.#listed.add(`data/${path}.d`)
    }
    this.#changed.clear()
    if (this.#listed.size === listed) return
    writeFileSync(join(this.#storePath, 'fncache'), serializeFncache([...this.#listed]))
  }

  /** The name on disk. Encoded names are plain ASCII, so they are their own bytes. */
  #onDisk(storeName: ByteString): string {
    return join(
      this.#storePath,
      Buffer.from(bytesOf(encodeStorePath(storeName, ENCODING))).toString(),
    )
  }
}

/**
 * The file parents of a new revision whose parents' changesets have `first` and `second` (-1 for
 * not there): one that is an ancestor of the other is left out, as a merge that changed only one
 * side has one parent.
 */
export function fileParents(
  writer: RevlogWriter,
  first: number,
  second: number,
): readonly [number, number] {
  if (first === NULL_REV || first === second) return [second, NULL_REV]
  if (second === NULL_REV || isAncestor(writer, second, first)) return [first, NULL_REV]
  return isAncestor(writer, first, second) ? [second, NULL_REV] : [first, second]
}

function isAncestor(writer: RevlogWriter, ancestor: number, of: number): boolean {
  const open = [of]
  const seen = new Set<number>()
  for (let rev = open.pop(); rev !== undefined; rev = open.pop()) {
    if (rev === ancestor) return true
    // Parents have lower numbers: below the one that is looked for nothing can lead to it.
    if (rev < ancestor || seen.has(rev)) continue
    seen.add(rev)
    open.push(...writer.parents(rev))
  }
  return false
}
