/**
 * The answer to a pull: the bundle that getbundle asks for. Parts and their order as observed in what
 * Mercurial 6.3 sends.
 */
import type { OutgoingPart } from '../bundle/write-bundle.ts'
import { findOutgoing, type Outgoing } from '../changegroup/outgoing.ts'
import { writeChangegroup } from '../changegroup/write-changegroup.ts'
import { headsAmong } from '../discovery/discover.ts'
import { locateNodes } from '../discovery/locate-nodes.ts'
import { RevlogError } from '../errors.ts'
import { type ByteString, bytesOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { Repository } from '../repository/open.ts'
import { phaseLookup } from '../repository/phases.ts'
import { bookmarkEntries, phaseEntries } from './exchange-parts.ts'
import { listKeys, servedBookmarks } from './list-keys.ts'
import type { BundleRequest } from './peer.ts'
import { isPublishing, readSettings } from './repository-settings.ts'
import type { ServedView } from './served-view.ts'

/** What is served to whom. */
export interface ServeBundleOptions {
  readonly repository: Repository
  readonly served: ServedView
  readonly request: BundleRequest
}

/** The parts that were asked for. Throws `unknown-revision` for heads that are not served. */
export function* bundleToServe(options: ServeBundleOptions): Iterable<OutgoingPart> {
  const { repository, served, request } = options
  if (request.changegroup) {
    const outgoing = servedChangesets(options)
    if (outgoing.revs.length > 0) {
      yield {
        name: 'CHANGEGROUP',
        mandatoryParameters: new Map([['version', '02']]),
        advisoryParameters: new Map([['nbchanges', `${outgoing.revs.length}`]]),
        payload: writeChangegroup({ repository, outgoing }, '02'),
      }
    }
  }
  if (request.bookmarks) {
    yield { name: 'BOOKMARKS', payload: [bookmarkEntries(servedBookmarks(repository, served))] }
  }
  for (const namespace of request.listKeys) {
    yield {
      name: 'LISTKEYS',
      mandatoryParameters: new Map([['namespace', namespace]]),
      payload: [bytesOf(keyLines(listKeys(repository, served, namespace)))],
    }
  }
  if (request.phases) yield { name: 'PHASE-HEADS', payload: [servedPhases(options)] }
}

/** What is asked for and not known to who asks. */
export function servedChangesets({ repository, served, request }: ServeBundleOptions): Outgoing {
  const { index } = repository.changelog
  const bases = locateNodes(index, request.common).filter((rev) => rev !== undefined)
  return findOutgoing(index, { bases, heads: requestedHeads({ repository, served, request }) })
}

function requestedHeads({ repository, served, request }: ServeBundleOptions): readonly number[] {
  if (request.heads.length === 0) return served.heads()
  return locateNodes(repository.changelog.index, request.heads).map((rev, i) => {
    if (rev !== undefined && (rev === NULL_REV || served.isServed(rev))) return rev
    throw new RevlogError('unknown-revision', `unknown revision '${request.heads[i] ?? ''}'`)
  })
}

/** A line for each key, as on the wire. */
export function keyLines(keys: ReadonlyMap<ByteString, ByteString>): ByteString {
  return [...keys].map(([key, value]) => `${key}\t${value}`).join('\n')
}

/** Heads of what is public and of what is a draft; in a publishing repository all is public. */
function servedPhases(options: ServeBundleOptions): Uint8Array {
  const { repository } = options
  const { index } = repository.changelog
  const heads = requestedHeads(options)
  const publishing = isPublishing(readSettings(repository))
  const { phaseOf } = publishing ? { phaseOf: () => 0 } : phaseLookup(repository)
  const publicRevs = new Set<number>()
  const seen = new Set<number>()
  const waiting = [...heads]
  for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
    if (rev === NULL_REV || seen.has(rev)) continue
    seen.add(rev)
    if (phaseOf(rev) === 0) publicRevs.add(rev)
    else waiting.push(index.p1(rev), index.p2(rev))
  }
  const entry = (phase: number) => (rev: number) => ({ phase, node: index.node(rev) })
  const drafts = headsAmong(
    index,
    heads.filter((rev) => phaseOf(rev) > 0),
  )
  return phaseEntries([...headsAmong(index, publicRevs).map(entry(0)), ...drafts.map(entry(1))])
}
