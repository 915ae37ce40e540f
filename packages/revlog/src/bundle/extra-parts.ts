/**
 * The payloads that go with a changegroup: which branches its changesets are on, and in which phases
 * they are. `phase-heads`: `hg help internals.bundle2`; `cache:rev-branch-cache` is not documented:
 * as observed, per branch `>III` (bytes of its name, open changesets, closed ones), name, nodes.
 */

import type { ByteInput } from '../bytes/byte-input.ts'
import type { ChangegroupSource } from '../changegroup/write-changegroup.ts'
import { bytesOf } from '../format/byte-string.ts'
import { NODE_SIZE } from '../format/constants.ts'
import { PHASES, phaseLookup } from '../repository/phases.ts'

interface BranchNodes {
  readonly open: Uint8Array[]
  readonly closed: Uint8Array[]
}

/** The payload of `cache:rev-branch-cache`. */
export function revBranchCache({ repository, outgoing }: ChangegroupSource): Uint8Array {
  const branches = new Map<string, BranchNodes>()
  for (const rev of outgoing.revs) {
    const { branch, closes } = repository.branches.branchOf(rev)
    let nodes = branches.get(branch)
    if (nodes === undefined) {
      nodes = { open: [], closed: [] }
      branches.set(branch, nodes)
    }
    nodes[closes ? 'closed' : 'open'].push(repository.changelog.node(rev))
  }
  const pieces: Uint8Array[] = []
  for (const branch of [...branches.keys()].sort()) {
    const { open = [], closed = [] } = branches.get(branch) ?? {}
    const head = new Uint8Array(12)
    const view = new DataView(head.buffer)
    view.setUint32(0, branch.length)
    view.setUint32(4, open.length)
    view.setUint32(8, closed.length)
    pieces.push(head, bytesOf(branch), ...open, ...closed)
  }
  return Buffer.concat(pieces)
}

/** A changeset that is in a phase, with all its ancestors that are in no lower one. */
export interface PhaseHead {
  readonly phase: number
  readonly node: Uint8Array
}

const PHASE_BYTES = 4

/** What the payload of `phase-heads` holds. Throws `truncated`. */
export function* readPhaseHeads(payload: ByteInput): Iterable<PhaseHead> {
  for (;;) {
    const first = payload.readSome(1)
    if (first.length === 0) return
    const entry = Buffer.concat([first, payload.read(PHASE_BYTES + NODE_SIZE - 1)])
    yield { phase: entry.readInt32BE(0), node: entry.subarray(PHASE_BYTES) }
  }
}

/** The payload of `phase-heads`: the heads of the outgoing changesets of each phase. */
export function phaseHeads({ repository, outgoing }: ChangegroupSource): Uint8Array {
  const phases = phaseLookup(repository)
  const { changelog } = repository
  const pieces: Uint8Array[] = []
  for (const phase of PHASES) {
    const revs = outgoing.revs.filter((rev) => phases.phaseOf(rev) === phase.number)
    const parents = new Set(
      revs.flatMap((rev) => [changelog.index.p1(rev), changelog.index.p2(rev)]),
    )
    for (const rev of revs) {
      if (parents.has(rev)) continue
      const head = new Uint8Array(PHASE_BYTES)
      new DataView(head.buffer).setInt32(0, phase.number)
      pieces.push(head, changelog.node(rev))
    }
  }
  return Buffer.concat(pieces)
}
