/**
 * The changesets of a pull that is not made: read from the remote's bundle and numbered as a pull would
 * number them. Nothing of them is written anywhere; manifests and files pass by.
 */
import type { BundlePart } from '../bundle/bundle.ts'
import type { DeltaChunk } from '../changegroup/delta-chunk.ts'
import { readChangegroup } from '../changegroup/read-changegroup.ts'
import { type Changeset, parseChangeset } from '../changelog/changeset.ts'
import { applyDeltas } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import { changegroupVersion } from '../exchange/apply-bundle.ts'
import { type ByteString, byteString, hexOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { hashText } from '../reader/hash-text.ts'
import type { ChangesetHistory } from '../repository/history.ts'
import type { Repository } from '../repository/open.ts'
import { remoteRefused } from './remote-refused.ts'

/** A changeset that is not here. */
interface IncomingChangeset {
  readonly nodeHex: string
  readonly p1: number
  readonly p2: number
  readonly text: Uint8Array
}

/**
 * The repository's history, and after it what the bundle has, which is read to its end. Throws
 * `remote-refused`, `unknown-revision`, `hash-mismatch`.
 */
export function incomingChangesets(
  repository: Repository,
  parts: Iterable<BundlePart>,
): ChangesetHistory {
  const incoming = new Incoming(repository)
  for (const part of parts) {
    if (part.name === 'error:abort') throw remoteRefused(part)
    if (part.name !== 'changegroup') continue
    const reader = readChangegroup(part.payload, changegroupVersion(part))
    for (const chunk of reader.changelog()) incoming.add(chunk)
  }
  return incoming
}

class Incoming implements ChangesetHistory {
  readonly #repository: Repository
  readonly #first: number
  readonly #added: IncomingChangeset[] = []
  readonly #revs = new Map<ByteString, number>()

  constructor(repository: Repository) {
    this.#repository = repository
    this.#first = repository.changelog.length
  }

  get length(): number {
    return this.#first + this.#added.length
  }

  nodeHex(rev: number): string {
    return this.#of(rev)?.nodeHex ?? this.#repository.changelog.nodeHex(rev)
  }

  p1(rev: number): number {
    return this.#of(rev)?.p1 ?? this.#repository.changelog.index.p1(rev)
  }

  p2(rev: number): number {
    return this.#of(rev)?.p2 ?? this.#repository.changelog.index.p2(rev)
  }

  changeset(rev: number): Changeset {
    const added = this.#of(rev)
    return added === undefined ? this.#repository.changeset(rev) : parseChangeset(added.text)
  }

  /** Takes the next changeset; one that is here already is passed over. */
  add(chunk: DeltaChunk): void {
    if (this.#find(chunk.node) !== undefined) return
    const [p1, p2, base] = [chunk.p1, chunk.p2, chunk.deltaBase].map((node) => this.#known(node))
    const text = applyDeltas(this.#text(base ?? NULL_REV), [chunk.delta])
    const nodeHex = hexOf(chunk.node)
    if (hashText(chunk.p1, chunk.p2, text) !== nodeHex) {
      // Mercurial's words.
      const where = `00changelog:${nodeHex.slice(0, 12)}`
      throw new RevlogError('hash-mismatch', `integrity check failed on ${where}`)
    }
    this.#revs.set(byteString(chunk.node), this.length)
    this.#added.push({ nodeHex, p1: p1 ?? NULL_REV, p2: p2 ?? NULL_REV, text })
  }

  #of(rev: number): IncomingChangeset | undefined {
    return this.#added[rev - this.#first]
  }

  #text(rev: number): Uint8Array {
    return this.#of(rev)?.text ?? this.#repository.changelog.rawText(rev)
  }

  #find(node: Uint8Array): number | undefined {
    return this.#revs.get(byteString(node)) ?? this.#repository.changelog.findRev(node)
  }

  #known(node: Uint8Array): number {
    const rev = this.#find(node)
    if (rev !== undefined) return rev
    throw new RevlogError('unknown-revision', `00changelog@${hexOf(node)}: unknown parent`)
  }
}
