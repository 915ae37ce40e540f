/**
 * One repository as it serves others: what a remote may ask of it, whichever way the question comes
 * (from the same process, or over the wire). It is opened when it is first asked for, and anew after
 * it was changed.
 */
import type { Bundle } from '../bundle/bundle.ts'
import type { OutgoingPart } from '../bundle/write-bundle.ts'
import { locateNodes } from '../discovery/locate-nodes.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, decodeByteString } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { openRepository, type Repository } from '../repository/open.ts'
import { resolveRevisions } from '../repository/resolve-revisions.ts'
import { applyKeyChange, type KeyChange } from './apply-key-change.ts'
import { branchHeads } from './branch-map.ts'
import { listKeys } from './list-keys.ts'
import type { BundleRequest } from './peer.ts'
import { type HeadsCheck, type ReceiveOptions, receivePush } from './receive-push.ts'
import { bundleToServe } from './serve-bundle.ts'
import { type ServedView, servedView } from './served-view.ts'

/** A repository that serves others, until close(). Nodes are in hexadecimal digits. */
export class RepositoryService {
  readonly #options: ReceiveOptions
  #repository: Repository | undefined
  #served: ServedView | undefined

  /** Throws `not-a-repository`, `unknown-requirement`. */
  constructor(options: ReceiveOptions) {
    this.#options = options
    this.#repository = openRepository(options.root, options.access)
  }

  /** The repository as it is now. */
  get repository(): Repository {
    this.#repository ??= openRepository(this.#options.root, this.#options.access)
    return this.#repository
  }

  get served(): ServedView {
    this.#served ??= servedView(this.repository)
    return this.#served
  }

  heads(): string[] {
    const { changelog } = this.repository
    const heads = this.served.heads().map((rev) => changelog.nodeHex(rev))
    return heads.length === 0 ? ['0'.repeat(40)] : heads.reverse()
  }

  known(nodes: readonly string[]): boolean[] {
    const { index } = this.repository.changelog
    return locateNodes(index, nodes).map(
      (rev) => rev !== undefined && (rev === NULL_REV || this.served.isServed(rev)),
    )
  }

  /** Throws `unknown-revision`, `ambiguous-prefix`. */
  lookup(name: ByteString): string {
    const [rev] = resolveRevisions(this.repository, decodeByteString(name))
    if (rev === undefined || (rev !== NULL_REV && !this.served.isServed(rev))) {
      throw new RevlogError('unknown-revision', `unknown revision '${decodeByteString(name)}'`)
    }
    return rev === NULL_REV ? '0'.repeat(40) : this.repository.changelog.nodeHex(rev)
  }

  listKeys(namespace: string): ReadonlyMap<ByteString, ByteString> {
    return listKeys(this.repository, this.served, namespace)
  }

  branchMap(): ReadonlyMap<ByteString, readonly string[]> {
    return branchHeads(this.repository, this.served)
  }

  bundle(request: BundleRequest): Iterable<OutgoingPart> {
    return bundleToServe({ repository: this.repository, served: this.served, request })
  }

  /** Applies a pushed bundle; gives the parts of the reply. Throws what receivePush() throws. */
  receive(bundle: Pick<Bundle, 'parts'>, heads?: HeadsCheck): OutgoingPart[] {
    this.close()
    return receivePush(this.#options, bundle, heads)
  }

  /** Changes one bookmark or phase, if it is still as the client saw it; gives whether it was. */
  pushKey(change: KeyChange): boolean {
    this.close()
    return applyKeyChange(this.#options, change)
  }

  /** Closes what is open; asked again, it is opened anew. */
  close(): void {
    this.#repository?.close()
    this.#repository = undefined
    this.#served = undefined
  }
}
