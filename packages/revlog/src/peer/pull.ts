/**
 * A pull: what is missing here is found, fetched in one bundle, and applied in one transaction with
 * phases and bookmarks. The steps and the words are Mercurial's (`hg help pull`, `hg help phases`).
 */
import type { BundlePart } from '../bundle/bundle.ts'
import { readPhaseHeads } from '../bundle/extra-parts.ts'
import type { ByteInput } from '../bytes/byte-input.ts'
import { locateNodes } from '../discovery/locate-nodes.ts'
import { readBookmarkEntries, writeBookmarks } from '../exchange/apply-bookmarks.ts'
import { applyBundle, type PartHandler } from '../exchange/apply-bundle.ts'
import {
  changegroupSummary,
  newChangesetsLines,
  nextStepAdvice,
} from '../exchange/change-summary.ts'
import { type StoreUpdate, updateStore } from '../exchange/store-update.ts'
import { type ByteString, hexOf } from '../format/byte-string.ts'
import { type LockOptions, withRepositoryLocks } from '../locks/repository-locks.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { OpenRepositoryOptions, Repository } from '../repository/open.ts'
import { phaseLookup } from '../repository/phases.ts'
import { bookmarksToPull, type PulledBookmark } from './bookmark-changes.ts'
import { findIncoming } from './find-incoming.ts'
import type { Peer } from './peer.ts'
import { remoteRefused } from './remote-refused.ts'

/** What to pull. */
export interface PullOptions {
  readonly repository: Repository
  readonly access: OpenRepositoryOptions
  readonly locks: LockOptions
  readonly peer: Peer
  /** Names at the remote whose changesets are pulled with their ancestors; all if empty. */
  readonly revs: readonly ByteString[]
  /** Unrelated repositories are no reason not to pull. */
  readonly force: boolean
  readonly preferGiven: boolean
  readonly fixSwappedParents: boolean
  /** The name of the path in the configuration, such as `default`. */
  readonly pathName?: string
  /** Told what happens, without line ends. */
  readonly say: (line: string) => void
  readonly warn: (line: string) => void
}

/** Pulls. Throws `unrelated`, `unknown-revision`, `protocol`, and what applying a bundle throws. */
export function pull(options: PullOptions): void {
  const { repository, peer, revs, say } = options
  const wanted = revs.map((name) => peer.lookup(name))
  const { common, remoteHeads, hasNew } = findIncoming(options, wanted)
  if (hasNew && common.length === 0 && revs.length === 0) say('requesting all changes')
  const parts = peer.getBundle({
    common,
    heads: wanted.length > 0 ? wanted : remoteHeads,
    changegroup: hasNew,
    phases: true,
    bookmarks: true,
    listKeys: ['bookmarks'],
  })
  if (hasNew) {
    applyPulled(options, parts)
    return
  }
  say('no changes found')
  const told = readRest(parts)
  if (!changesAnything(repository, told)) return
  withUpdate(options, (update) => {
    const published = publish(update, told.publicNodes)
    sayBookmarks(options, followBookmarks(options, update, told.bookmarks))
    newChangesetsLines(update, { firstNewRev: update.changelog.length, published }).forEach(say)
  })
}

function withUpdate(options: PullOptions, action: (update: StoreUpdate) => void): void {
  const { repository, access, locks, peer, preferGiven, warn } = options
  const { root } = repository
  const description = `pull\n${peer.place}`
  withRepositoryLocks(root, locks, () =>
    updateStore({ root, access, description, preferGiven, onRollback: warn }, action),
  )
}

const NO_PARAMETERS: ReadonlySet<string> = new Set()

function applyPulled(options: PullOptions, parts: Iterable<BundlePart>): void {
  const { fixSwappedParents, say } = options
  let advice: string | undefined
  withUpdate(options, (update) => {
    const bookmarks = new Map<ByteString, string>()
    const handlers: ReadonlyMap<string, PartHandler> = new Map([
      [
        'bookmarks',
        {
          parameters: NO_PARAMETERS,
          handle: (_update, { payload }) => noteBookmarks(bookmarks, payload),
        },
      ],
      ['listkeys', { parameters: new Set(['namespace']), handle: () => undefined }],
      ['output', { parameters: NO_PARAMETERS, handle: () => undefined }],
      ['error:abort', { parameters: new Set(['message', 'hint']), handle: refuse }],
    ])
    const summaries: string[] = []
    const applied = applyBundle(
      update,
      { parts: () => parts },
      {
        fixSwappedParents,
        handlers,
        onStep: say,
        onChangegroup: (group, heads) => summaries.push(changegroupSummary(group, heads)),
      },
    )
    sayBookmarks(options, followBookmarks(options, update, bookmarks))
    summaries.forEach(say)
    newChangesetsLines(update, applied).forEach(say)
    advice = nextStepAdvice(update, applied.headDifferences)
  })
  if (advice !== undefined) say(advice)
}

function refuse(_update: StoreUpdate, part: BundlePart): void {
  throw remoteRefused(part)
}

/** What a bundle without changesets tells. */
interface Told {
  readonly publicNodes: readonly Uint8Array[]
  readonly bookmarks: ReadonlyMap<ByteString, string>
}

function readRest(parts: Iterable<BundlePart>): Told {
  const publicNodes: Uint8Array[] = []
  const bookmarks = new Map<ByteString, string>()
  for (const part of parts) {
    const { name, payload } = part
    if (name === 'bookmarks') noteBookmarks(bookmarks, payload)
    else if (name === 'error:abort') throw remoteRefused(part)
    else if (name === 'phase-heads') {
      for (const { phase, node } of readPhaseHeads(payload)) if (phase === 0) publicNodes.push(node)
    }
  }
  return { publicNodes, bookmarks }
}

function noteBookmarks(bookmarks: Map<ByteString, string>, payload: ByteInput): void {
  for (const { name, node } of readBookmarkEntries(payload)) bookmarks.set(name, hexOf(node))
}

/** Whether there is a reason to lock the repository. */
function changesAnything(repository: Repository, { publicNodes, bookmarks }: Told): boolean {
  const { phaseOf } = phaseLookup(repository)
  const revs = locateNodes(repository.changelog.index, publicNodes.map(hexOf))
  if (revs.some((rev) => rev !== undefined && phaseOf(rev) > 0)) return true
  const local = readBookmarkNodes(repository)
  return [...bookmarks].some(([name, hex]) => local.get(name) !== hex)
}

/** Gives how many became public. */
function publish({ changelog, phases }: StoreUpdate, nodes: readonly Uint8Array[]): number {
  changelog.index.locate(nodes)
  const revs = nodes.map((node) => changelog.index.findRev(node))
  return phases.advance(
    0,
    revs.filter((rev) => rev !== undefined),
  ).length
}

function followBookmarks(
  { pathName }: PullOptions,
  update: StoreUpdate,
  remote: ReadonlyMap<ByteString, string>,
): readonly PulledBookmark[] {
  const { index } = update.changelog
  const local = readBookmarkNodes(update.repository)
  index.locate([...remote.values(), ...local.values()].map((hex) => Buffer.from(hex, 'hex')))
  const pulled = bookmarksToPull({
    history: index,
    local,
    remote,
    revOf: (hex) => index.findRev(Buffer.from(hex, 'hex')),
    ...(pathName === undefined ? {} : { pathName }),
  })
  if (pulled.length > 0) {
    writeBookmarks(
      update,
      new Map([...local, ...pulled.map(({ name, hex }) => [name, hex] as const)]),
    )
  }
  return pulled
}

function sayBookmarks({ say, warn }: PullOptions, pulled: readonly PulledBookmark[]): void {
  for (const { message, diverged } of pulled) (diverged ? warn : say)(message)
}
