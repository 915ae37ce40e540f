/**
 * Set discovery: which changesets two repositories have in common, found in few questions. The
 * remote's heads and a first sample are asked for together, which settles most cases; then samples of
 * what is undecided, larger each time. What is done with the answer is left to push and pull.
 */
import type { Repository } from '../repository/open.ts'
import { chooseSample } from './choose-sample.ts'
import { locateNodes } from './locate-nodes.ts'
import { Undecided } from './undecided.ts'

/** The remote side as discovery needs it; nodes in hexadecimal digits. */
export interface DiscoveryPeer {
  /** The remote's heads, and for each node whether it is there: one question. */
  headsAndKnown(nodes: readonly string[]): {
    readonly heads: readonly string[]
    readonly known: readonly boolean[]
  }
  known(nodes: readonly string[]): readonly boolean[]
}

/** What to compare. */
export interface DiscoverOptions {
  readonly repository: Repository
  /** Local revisions that matter, with their ancestors: usually all heads. */
  readonly heads: readonly number[]
  readonly peer: DiscoveryPeer
  /** Gives numbers in 0..1; a fixed sequence if not given. */
  readonly random?: () => number
}

/** What was found. */
export interface Discovered {
  /** Heads of what both have, as local revisions, ascending. */
  readonly commonHeads: readonly number[]
  /** All heads of the remote; none if it is empty. */
  readonly remoteHeads: readonly string[]
  /** Whether the remote has changesets that are not here. */
  readonly hasIncoming: boolean
  /** Questions that were asked. */
  readonly roundTrips: number
}

/** Nodes in the first question and in later ones: the first has to be small, for most need no other. */
const FIRST_SAMPLE = 100
const LATER_SAMPLE = 200

/** Asks until everything is decided. Throws what the peer throws. */
export function discover({ repository, heads, peer, random }: DiscoverOptions): Discovered {
  const { changelog } = repository
  const { index } = changelog
  const asked = heads.slice(-FIRST_SAMPLE)
  const first = peer.headsAndKnown(asked.map((rev) => changelog.nodeHex(rev)))
  const remoteHeads = first.heads.filter((hex) => !/^0+$/.test(hex))
  const here = locateNodes(index, remoteHeads)
  const knownHere = here.filter((rev) => rev !== undefined)
  const hasIncoming = knownHere.length < here.length
  const found = { remoteHeads, hasIncoming }
  if (!hasIncoming) return { ...found, commonHeads: headsAmong(index, knownHere), roundTrips: 1 }
  if (asked.length === heads.length && first.known.every((is) => is)) {
    return { ...found, commonHeads: headsAmong(index, [...heads, ...knownHere]), roundTrips: 1 }
  }
  const state = new Undecided(index, heads)
  state.addCommon(knownHere)
  note(state, asked, first.known)
  const roundTrips = 1 + decide(state, { repository, heads, peer, random: random ?? fixedRandom() })
  return { ...found, commonHeads: state.commonHeads(), roundTrips }
}

/** Gives the number of questions. */
function decide(state: Undecided, { repository, peer, random }: Required<DiscoverOptions>): number {
  const { changelog } = repository
  let size = LATER_SAMPLE
  let roundTrips = 0
  for (let undecided = state.revs(); undecided.length > 0; undecided = state.revs()) {
    const sample = chooseSample({ index: changelog.index, undecided, size, random })
    note(state, sample, peer.known(sample.map((rev) => changelog.nodeHex(rev))))
    roundTrips += 1
    size *= 2
  }
  return roundTrips
}

function note(state: Undecided, revs: readonly number[], known: readonly boolean[]): void {
  state.addCommon(revs.filter((_rev, i) => known[i] === true))
  state.addMissing(revs.filter((_rev, i) => known[i] !== true))
}

/** Those that no other of them descends from, ascending. */
export function headsAmong(
  index: Pick<Repository['changelog']['index'], 'p1' | 'p2'>,
  revs: Iterable<number>,
): number[] {
  const wanted = new Set([...revs].filter((rev) => rev >= 0))
  if (wanted.size <= 1) return [...wanted]
  const first = Math.min(...wanted)
  const last = Math.max(...wanted)
  /** Revisions that a wanted one descends from. */
  const below = new Uint8Array(last - first + 1)
  const heads: number[] = []
  for (let rev = last; rev >= first; rev--) {
    const isBelow = below[rev - first] === 1
    if (!isBelow && !wanted.has(rev)) continue
    if (!isBelow) heads.push(rev)
    for (const parent of [index.p1(rev), index.p2(rev)]) {
      if (parent >= first) below[parent - first] = 1
    }
  }
  return heads.reverse()
}

/** A linear congruential generator (Numerical Recipes): the same questions for the same histories. */
function fixedRandom(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
