/**
 * A repository in a folder as the other side of an exchange: its service, asked in this process.
 */
import type { BundlePart } from '../bundle/bundle.ts'
import { openBundle } from '../bundle/open-bundle.ts'
import { type OutgoingPart, writeBundle2 } from '../bundle/write-bundle.ts'
import { piecesInput } from '../bytes/byte-input.ts'
import type { Peer } from './peer.ts'
import type { ReceiveOptions } from './receive-push.ts'
import { RepositoryService } from './repository-service.ts'

/** Opens the repository in a folder. Throws `not-a-repository`, `unknown-requirement`. */
export function openLocalPeer(place: string, options: ReceiveOptions): Peer {
  const service = new RepositoryService(options)
  return {
    place,
    headsAndKnown: (nodes) => ({ heads: service.heads(), known: service.known(nodes) }),
    known: (nodes) => service.known(nodes),
    listKeys: (namespace) => service.listKeys(namespace),
    lookup: (name) => service.lookup(name),
    branchMap: () => service.branchMap(),
    getBundle: (request) => streamed(place, service.bundle(request)).parts(),
    unbundle: (parts) => partsOf(place, service.receive(streamed(place, parts))),
    close: () => service.close(),
  }
}

function partsOf(name: string, parts: Iterable<OutgoingPart>): Iterable<BundlePart> {
  return streamed(name, parts).parts()
}

/** The parts as who receives them sees them. */
function streamed(name: string, parts: Iterable<OutgoingPart>) {
  return openBundle(piecesInput(name, writeBundle2(parts, 'none')))
}
