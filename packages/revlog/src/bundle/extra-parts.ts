/**
 * The payloads that go with a changegroup: which branches its changesets are on, and in which phases
 * they are. `phase-heads`: `hg help internals.bundle2`; `cache:rev-branch-cache` is not documented:
 * as observed, per branch `>III` (bytes of its name, open changesets, closed ones), name, nodes.
 */

import type { ChangegroupSource } from '../changegroup/write-changegroup.ts'
import { branchOf } from '../changelog/changeset.ts'
import { bytesOf } from '../format/byte-string.ts'
import { PHASES, phaseLookup } from '../repository/phases.ts'

interface BranchNodes {
  readonly open: Uint8Array[]
  readonly closed: Uint8Array[]
}

/** The payload of `cache:rev-branch-cache`. */
export function revBranchCache({ repository, outgoing }: ChangegroupSource): Uint8Array {
  const branches = new Map<string, BranchNodes>()
  for (const rev of outgoing.revs) {
    const changeset = repository.changeset(rev)
    const branch = branchOf(changeset)
    let nodes = branches.get(branch)
    if (nodes === undefined) {
      nodes = { open: [], closed: [] }
      branches.set(branch, nodes)
    }
    const closes = changeset.extra.has('close')
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
      const head = new Uint8Array(4)
      new DataView(head.buffer).setInt32(0, phase.number)
      pieces.push(head, changelog.node(rev))
    }
  }
  return Buffer.concat(pieces)
}
