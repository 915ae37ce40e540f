/**
 * The other side of an exchange, wherever it is: a repository in a folder (local-peer.ts) or behind
 * ssh (wire/ssh-peer.ts). Named after Mercurial's wire commands (`hg help internals.wireprotocol`).
 */
import type { BundlePart } from '../bundle/bundle.ts'
import type { OutgoingPart } from '../bundle/write-bundle.ts'
import type { DiscoveryPeer } from '../discovery/discover.ts'
import type { ByteString } from '../format/byte-string.ts'

/** What a pull asks for; nodes in hexadecimal digits. */
export interface BundleRequest {
  /** Heads of what the asking side has. */
  readonly common: readonly string[]
  /** What it wants; all that is served if empty. */
  readonly heads: readonly string[]
  readonly changegroup: boolean
  readonly phases: boolean
  readonly bookmarks: boolean
  /** Name spaces whose keys go with the bundle. */
  readonly listKeys: readonly string[]
}

/** A remote repository until close(). All nodes are in hexadecimal digits. */
export interface Peer extends DiscoveryPeer {
  /** The remote's name in messages. */
  readonly place: string
  /** Keys of a name space (`phases`, `bookmarks`, `namespaces`), with their values. */
  listKeys(namespace: string): ReadonlyMap<ByteString, ByteString>
  /** The node of a name. Throws `unknown-revision`. */
  lookup(name: ByteString): string
  /** The heads of each branch, closed ones with them. */
  branchMap(): ReadonlyMap<ByteString, readonly string[]>
  /** The parts of a bundle, asked for once and in order. */
  getBundle(request: BundleRequest): Iterable<BundlePart>
  /** Sends the parts of a bundle. Gives the reply's parts, asked for once and in order. */
  unbundle(parts: Iterable<OutgoingPart>): Iterable<BundlePart>
  /** Ends the exchange; the second call does nothing. */
  close(): void
}
