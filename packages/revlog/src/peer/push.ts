/**
 * A push: what the remote lacks is found, checked, sent in one bundle, and phases and bookmarks on
 * both sides follow. The steps and the words are Mercurial's (`hg help push`, `hg help phases`).
 */
import type { BundlePart } from '../bundle/bundle.ts'
import type { OutgoingPart } from '../bundle/write-bundle.ts'
import type { Outgoing } from '../changegroup/outgoing.ts'
import { writeChangegroup } from '../changegroup/write-changegroup.ts'
import { headsAmong } from '../discovery/discover.ts'
import { RevlogError } from '../errors.ts'
import { updateStore } from '../exchange/store-update.ts'
import { type ByteString, bytesOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import { type LockOptions, withStoreLock } from '../locks/repository-locks.ts'
import type { OpenRepositoryOptions, Repository } from '../repository/open.ts'
import { phaseLookup } from '../repository/phases.ts'
import { bookmarksToPush, type PushedBookmark } from './bookmark-changes.ts'
import { OWN_CAPABILITIES } from './capabilities.ts'
import { checkNewHeads } from './check-new-heads.ts'
import { bookmarkEntries, phaseEntries } from './exchange-parts.ts'
import { findOutgoingTo } from './find-outgoing-to.ts'
import type { Peer } from './peer.ts'
import { type RemotePhases, remotePhases } from './remote-phases.ts'
import { SECRET } from './served-view.ts'

/** What to push. */
export interface PushOptions {
  readonly repository: Repository
  readonly access: OpenRepositoryOptions
  readonly locks: LockOptions
  readonly peer: Peer
  /** Revisions that are pushed with their ancestors; all that may be, if not given. */
  readonly revs?: readonly number[]
  /** New heads and unrelated repositories are no reason not to push. */
  readonly force: boolean
  readonly newBranches: boolean
  /** Told what happens, without line ends. */
  readonly say: (line: string) => void
  readonly warn: (line: string) => void
  /** Told what the remote says. */
  readonly sayRemote: (line: string) => void
}

interface Plan {
  readonly outgoing: Outgoing
  readonly commonHeads: readonly number[]
  readonly phases: RemotePhases
  readonly bookmarks: readonly PushedBookmark[]
  readonly newPublicHeads: readonly number[]
  /** Remote heads that must still be there. */
  readonly updatedHeads: readonly string[]
}

/** Whether anything was pushed. Throws `push-refused`, `unrelated`, `remote-refused`, `protocol`. */
export function push(options: PushOptions): boolean {
  const { peer, say } = options
  const plan = planPush(options)
  const { outgoing, bookmarks } = plan
  const hasWork = outgoing.revs.length > 0 || bookmarks.length > 0 || plan.newPublicHeads.length > 0
  const results = hasWork ? readReply(options, peer.unbundle(pushParts(options, plan))) : []
  publishLocally(options, plan)
  for (const { name, isNew } of bookmarks)
    say(`${isNew ? 'exporting' : 'updating'} bookmark ${name}`)
  // As in Mercurial bookmarks alone do not count.
  return results.length > 0
}

function planPush(options: PushOptions): Plan {
  const { repository, peer, force } = options
  const { index } = repository.changelog
  const { outgoing, commonHeads, remoteHeads } = findOutgoingTo(options)
  const phases = remotePhases(index, peer.listKeys('phases'), commonHeads)
  const pushed = headsAmong(index, [...commonHeads, ...outgoing.revs])
  const bookmarks = bookmarksToPush(repository, peer.listKeys('bookmarks'), pushed)
  const checked = !force && outgoing.revs.length > 0 && remoteHeads.length > 0
  const updatedHeads = checked
    ? checkNewHeads({
        ...options,
        outgoing: outgoing.revs,
        remoteBranches: peer.branchMap(),
        bookmarked: bookmarks.map(({ hex }) => hex),
      })
    : []
  const newPublicHeads = publicToTell(repository, { outgoing, commonHeads, phases })
  return { outgoing, commonHeads, phases, bookmarks, updatedHeads, newPublicHeads }
}

/** Heads of what is public after the push, and is not yet so at the remote. */
function publicToTell(
  repository: Repository,
  { outgoing, commonHeads, phases }: Pick<Plan, 'outgoing' | 'commonHeads' | 'phases'>,
): readonly number[] {
  const { index } = repository.changelog
  if (phases.publishing) return headsAmong(index, outgoing.revs)
  const { phaseOf } = phaseLookup(repository)
  const revs = new Set(outgoing.revs.filter((rev) => phaseOf(rev) === 0))
  const waiting = [...commonHeads]
  const seen = new Set<number>()
  for (let rev = waiting.pop(); rev !== undefined; rev = waiting.pop()) {
    if (seen.has(rev) || !phases.isDraft(rev)) continue
    seen.add(rev)
    if (phaseOf(rev) === 0) revs.add(rev)
    waiting.push(index.p1(rev), index.p2(rev))
  }
  return headsAmong(index, revs)
}

function* pushParts({ repository, force }: PushOptions, plan: Plan): Iterable<OutgoingPart> {
  const { changelog } = repository
  const { outgoing, phases, bookmarks, updatedHeads, newPublicHeads } = plan
  const entry = (phase: number) => (rev: number) => ({ phase, node: changelog.node(rev) })
  yield { name: 'REPLYCAPS', payload: [bytesOf(OWN_CAPABILITIES)] }
  if (!force) {
    const heads = [...phases.publicHeads.map(entry(0)), ...phases.draftHeads.map(entry(1))]
    if (heads.length > 0) yield { name: 'CHECK:PHASES', payload: [phaseEntries(heads)] }
    const before = new Map(bookmarks.map(({ name, remoteHex }) => [name, remoteHex]))
    if (before.size > 0) yield { name: 'CHECK:BOOKMARKS', payload: [bookmarkEntries(before)] }
    if (outgoing.revs.length > 0) {
      const nodes = updatedHeads.map((hex) => Buffer.from(hex, 'hex'))
      if (nodes.length > 0) yield { name: 'CHECK:UPDATED-HEADS', payload: nodes }
    }
  }
  if (outgoing.revs.length > 0) {
    yield {
      name: 'CHANGEGROUP',
      mandatoryParameters: new Map([['version', '02']]),
      payload: writeChangegroup({ repository, outgoing }, '02'),
    }
  }
  if (newPublicHeads.length > 0) {
    yield { name: 'PHASE-HEADS', payload: [phaseEntries(newPublicHeads.map(entry(0)))] }
  }
  const after = new Map(bookmarks.map(({ name, hex }) => [name, hex]))
  if (after.size > 0) yield { name: 'BOOKMARKS', payload: [bookmarkEntries(after)] }
}

/** Results of the changegroups that were sent. Throws `remote-refused`. */
function readReply({ sayRemote }: PushOptions, parts: Iterable<BundlePart>): string[] {
  const results: string[] = []
  for (const { name, mandatory, parameters, payload } of parts) {
    if (name === 'reply:changegroup') results.push(parameters.get('return') ?? '0')
    else if (name === 'output') textOf(payload).forEach(sayRemote)
    else if (name.startsWith('error:')) throw refusedBy(name, parameters, sayRemote)
    else if (mandatory && !name.startsWith('reply:')) {
      throw new RevlogError('unknown-part', `missing support for ${name}`)
    }
  }
  return results
}

/** At most this much of a remote's text is taken into memory. */
const MAX_TEXT_BYTES = 1_000_000

function textOf(payload: BundlePart['payload']): ByteString[] {
  let text = ''
  for (let piece = payload.readSome(65_536); piece.length > 0; piece = payload.readSome(65_536)) {
    if (text.length < MAX_TEXT_BYTES) text += Buffer.from(piece).toString('latin1')
  }
  return text.replace(/\n$/, '').split('\n')
}

/** Mercurial's words. */
function refusedBy(
  name: string,
  parameters: ReadonlyMap<string, string>,
  sayRemote: (line: string) => void,
): RevlogError {
  const message = parameters.get('message') ?? ''
  if (name === 'error:pushraced')
    return new RevlogError('remote-refused', `push failed:\n'${message}'`)
  if (message !== '') sayRemote(message)
  const hint = parameters.get('hint')
  if (hint !== undefined) sayRemote(`(${hint})`)
  return new RevlogError('remote-refused', 'push failed on remote')
}

/** What the remote has in public is public here as well. */
function publishLocally(options: PushOptions, plan: Plan): void {
  const { repository, access, locks, say } = options
  const { phases, outgoing, commonHeads } = plan
  const { index } = repository.changelog
  const { phaseOf } = phaseLookup(repository)
  const wanted = options.revs?.filter((rev) => phaseOf(rev) < SECRET)
  const sent = phases.publishing ? headsAmong(index, outgoing.revs) : []
  const known = phases.publishing ? commonHeads : phases.publicHeads
  const shared = wanted === undefined ? known : commonAncestorHeads(index, known, wanted)
  const candidates = [...sent, ...shared]
  const late = candidates.filter((rev) => phaseOf(rev) > 0)
  if (late.length === 0) return
  const { root } = repository
  const nodes = late.map((rev) => index.node(rev))
  try {
    withStoreLock(root, locks, () =>
      updateStore({ root, access, description: 'push' }, ({ changelog, phases: local }) => {
        changelog.index.locate(nodes)
        local.advance(0, nodes.map((node) => changelog.index.findRev(node)).filter(isRev))
      }),
    )
  } catch (error) {
    if (!(error instanceof RevlogError) || error.code !== 'locked') throw error
    // Mercurial's words: the changesets are there, and that matters more.
    say(`cannot lock source repo, skipping local public phase update`)
  }
}

/** Heads of what both sets of heads have among their ancestors; without order. */
function commonAncestorHeads(
  index: Repository['changelog']['index'],
  some: readonly number[],
  others: readonly number[],
): number[] {
  const marks = new Uint8Array(Math.max(NULL_REV, ...some, ...others) + 1)
  const mark = (rev: number, bits: number): void => {
    if (rev !== NULL_REV) marks[rev] = (marks[rev] ?? 0) | bits
  }
  for (const rev of some) mark(rev, 1)
  for (const rev of others) mark(rev, 2)
  const heads: number[] = []
  for (let rev = marks.length - 1; rev >= 0; rev--) {
    const bits = marks[rev] ?? 0
    if (bits === BOTH) heads.push(rev)
    // Below a head that was found there are no further ones.
    const below = bits === BOTH ? BOTH | FOUND : bits
    if (below === 0) continue
    mark(index.p1(rev), below)
    mark(index.p2(rev), below)
  }
  return heads
}

const BOTH = 3
const FOUND = 4

function isRev(rev: number | undefined): rev is number {
  return rev !== undefined
}
