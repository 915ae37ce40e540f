/**
 * The filelogs that patches read, kept open for a while: changesets that follow each other often
 * touch the same files.
 */
import { RevlogError } from '../errors.ts'
import type { ByteString } from '../format/byte-string.ts'
import type { ManifestEntry } from '../manifest/manifest.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Repository } from '../repository/open.ts'

/** More than this many are not kept: each may hold a descriptor and the text that was read last. */
const MAX_OPEN = 64

/** Filelogs of a repository until close(). */
export class OpenFilelogs {
  readonly #repository: Repository
  /** In order of use, the longest unused first. */
  readonly #open = new Map<ByteString, Revlog>()

  constructor(repository: Repository) {
    this.#repository = repository
  }

  /** The filelog of a path; valid until further ones are asked for. Throws `unknown-file`. */
  get(path: ByteString): Revlog {
    const known = this.#open.get(path)
    if (known !== undefined) this.#open.delete(path)
    const filelog = known ?? this.#repository.filelog(path)
    this.#open.set(path, filelog)
    if (this.#open.size > MAX_OPEN) this.#closeOldest()
    return filelog
  }

  /** A file's revision in its filelog. Throws `corrupt` if the filelog lacks it. */
  revOf({ path, nodeHex }: Pick<ManifestEntry, 'path' | 'nodeHex'>): number {
    const rev = this.get(path).findRev(Buffer.from(nodeHex, 'hex'))
    if (rev !== undefined) return rev
    throw new RevlogError(
      'corrupt',
      `${path}@${nodeHex.slice(0, 12)}: the manifest names it and the file's revlog lacks it; run \`hg verify\` on the repository`,
    )
  }

  /** A file's text as it is stored; not to be written into. */
  text(entry: Pick<ManifestEntry, 'path' | 'nodeHex'>): Uint8Array {
    return this.get(entry.path).rawText(this.revOf(entry))
  }

  /** Closes all. */
  close(): void {
    for (const filelog of this.#open.values()) filelog.close()
    this.#open.clear()
  }

  #closeOldest(): void {
    for (const [path, filelog] of this.#open) {
      filelog.close()
      this.#open.delete(path)
      return
    }
  }
}
