/**
 * The receiving side of a push: the bundle is applied in one transaction under the repository's
 * locks, after what its sender took for granted was found still true (the parts `check:...`), and the
 * reply is made. Source: `hg help internals.bundle2`; replies as observed in what Mercurial 6.3 sends.
 */

import type { Bundle, BundlePart } from '../bundle/bundle.ts'
import { readPhaseHeads } from '../bundle/extra-parts.ts'
import type { OutgoingPart } from '../bundle/write-bundle.ts'
import type { ByteInput } from '../bytes/byte-input.ts'
import { locateNodes } from '../discovery/locate-nodes.ts'
import { RevlogError } from '../errors.ts'
import { REMOVED_HEX, readBookmarkEntries } from '../exchange/apply-bookmarks.ts'
import { applyBundle, type PartHandler } from '../exchange/apply-bundle.ts'
import { changegroupSummary } from '../exchange/change-summary.ts'
import { type StoreUpdate, updateStore } from '../exchange/store-update.ts'
import { hexOf } from '../format/byte-string.ts'
import { type LockOptions, withRepositoryLocks } from '../locks/repository-locks.ts'
import { readBookmarkNodes } from '../repository/names.ts'
import type { OpenRepositoryOptions } from '../repository/open.ts'
import { readNodes } from './exchange-parts.ts'
import { isPublishing, readSettings } from './repository-settings.ts'
import { servedView } from './served-view.ts'

/** How pushes are received. */
export interface ReceiveOptions {
  readonly root: string
  readonly access: OpenRepositoryOptions
  readonly locks: LockOptions
  /** Told what happens, in Mercurial's words, without line ends. */
  readonly say: (line: string) => void
  /** Keep the bases that deltas come with; false if not given. */
  readonly preferGiven?: boolean
  /** Put parents right that a defect of Mercurial swapped; true if not given. */
  readonly fixSwappedParents?: boolean
}

/**
 * Applies a pushed bundle and gives the parts of the reply. Throws `remote-refused` when the
 * repository is not any more as the sender saw it, and what applyBundle() and the locks throw.
 */
export function receivePush(
  options: ReceiveOptions,
  bundle: Pick<Bundle, 'parts'>,
  heads: HeadsCheck = () => undefined,
): OutgoingPart[] {
  const { root, access, locks, say, preferGiven = false, fixSwappedParents = true } = options
  const replies: OutgoingPart[] = []
  const store = { root, access, description: 'push', preferGiven }
  return withRepositoryLocks(root, locks, () =>
    updateStore({ ...store, onRollback: say }, (update) => {
      heads(update)
      const summaries: string[] = []
      const publishing = isPublishing(readSettings(update.repository))
      applyBundle(update, bundle, {
        fixSwappedParents,
        targetPhase: publishing ? 0 : 1,
        handlers: HANDLERS,
        onStep: say,
        onChangegroup: (applied, difference, part) => {
          summaries.push(changegroupSummary(applied, difference))
          replies.push(changegroupReply(part, difference))
          if (publishing) publishFrom(update, applied.firstNewRev)
        },
      })
      summaries.forEach(say)
      return replies
    }),
  )
}

/** Compares the heads with those that a sender without check parts named. Throws `remote-refused`. */
export type HeadsCheck = (update: StoreUpdate) => void

function publishFrom({ changelog, phases }: StoreUpdate, firstNewRev: number): void {
  for (let rev = firstNewRev; rev < changelog.length; rev++) phases.advance(0, [rev])
}

/** Mercurial's number: 1 for no new heads, more for new ones, less than -1 for ended ones. */
function changegroupReply(part: BundlePart, difference: number): OutgoingPart {
  const result = difference < 0 ? difference - 1 : difference + 1
  return {
    name: 'reply:changegroup',
    advisoryParameters: new Map([
      ['in-reply-to', `${part.id}`],
      ['return', `${result}`],
    ]),
    payload: [],
  }
}

const NO_PARAMETERS: ReadonlySet<string> = new Set()

/** Parts that only pushes have. */
const HANDLERS: ReadonlyMap<string, PartHandler> = new Map([
  ['replycaps', { parameters: NO_PARAMETERS, handle: () => undefined }],
  ['check:heads', { parameters: NO_PARAMETERS, handle: checkHeads }],
  ['check:updated-heads', { parameters: NO_PARAMETERS, handle: checkUpdatedHeads }],
  ['check:phases', { parameters: NO_PARAMETERS, handle: checkPhases }],
  ['check:bookmarks', { parameters: NO_PARAMETERS, handle: checkBookmarks }],
])

function checkHeads(update: StoreUpdate, { payload }: BundlePart): void {
  const now = servedHeads(update)
  const named = [...readNodes(payload)]
  if (named.sort().join() !== [...now].sort().join()) throw raced()
}

function servedHeads({ repository }: StoreUpdate): readonly string[] {
  const { changelog } = repository
  return servedView(repository)
    .heads()
    .map((rev) => changelog.nodeHex(rev))
}

/**
 * Each must still be a head, of its branch or of all. A changeset that has got a child on its branch
 * is none any more.
 */
function checkUpdatedHeads(update: StoreUpdate, { payload }: BundlePart): void {
  const { changelog, branches } = update.repository
  const { index } = changelog
  const revs = revsOf(update, [...readNodes(payload)])
  const first = Math.min(changelog.length, ...revs)
  const named = new Set(revs)
  for (let rev = first + 1; rev < changelog.length; rev++) {
    for (const parent of [index.p1(rev), index.p2(rev)]) {
      if (!named.has(parent)) continue
      if (branches.branchOf(rev).branch === branches.branchOf(parent).branch) throw raced()
    }
  }
}

function checkPhases(update: StoreUpdate, { payload }: BundlePart): void {
  const entries = [...readPhaseHeads(payload)]
  const revs = revsOf(
    update,
    entries.map(({ node }) => hexOf(node)),
  )
  for (const [i, rev] of revs.entries()) {
    if (update.phases.phaseOf(rev) !== entries[i]?.phase) throw racedPhases()
  }
}

function checkBookmarks(update: StoreUpdate, { payload }: { readonly payload: ByteInput }): void {
  const now = readBookmarkNodes(update.repository)
  for (const { name, node } of readBookmarkEntries(payload)) {
    if ((now.get(name) ?? REMOVED_HEX) !== node.toString('hex')) throw racedBookmark(name)
  }
}

function revsOf({ repository }: StoreUpdate, nodes: readonly string[]): number[] {
  return locateNodes(repository.changelog.index, nodes).map((rev) => {
    if (rev === undefined) throw raced()
    return rev
  })
}

/** Mercurial's words, here and below. */
export function raced(): RevlogError {
  return new RevlogError(
    'remote-refused',
    'remote repository changed while pushing - please try again',
  )
}

function racedPhases(): RevlogError {
  return new RevlogError(
    'remote-refused',
    'push failed: repository changed while pushing: phases differ - please try again',
  )
}

function racedBookmark(name: string): RevlogError {
  return new RevlogError(
    'remote-refused',
    `push failed: bookmark '${name}' changed while pushing - please try again`,
  )
}
