/**
 * Applies a bundle's parts to a repository that is being changed. Parts that only fill caches are
 * passed over: caches that do not fit are made anew by whoever needs them.
 */
import type { Bundle, BundlePart } from '../bundle/bundle.ts'
import { type PhaseHead, readPhaseHeads } from '../bundle/extra-parts.ts'
import { knownParts } from '../bundle/known-parts.ts'
import type { ByteInput } from '../bytes/byte-input.ts'
import type { ChangegroupVersion } from '../changegroup/delta-chunk.ts'
import { readChangegroup } from '../changegroup/read-changegroup.ts'
import { parseChangeset } from '../changelog/changeset.ts'
import { RevlogError } from '../errors.ts'
import { applyBookmarks } from './apply-bookmarks.ts'
import {
  type AppliedChangegroup,
  type ApplyChangegroupOptions,
  applyChangegroup,
  noChangeset,
} from './apply-changegroup.ts'
import { headDifference } from './head-changes.ts'
import type { StoreUpdate } from './store-update.ts'

/** How to apply. */
export interface ApplyBundleOptions extends ApplyChangegroupOptions {
  /** Told of each changegroup that was applied. */
  readonly onChangegroup?: (
    applied: AppliedChangegroup,
    headDifference: number,
    part: BundlePart,
  ) => void
  /** Takes over parts, by name: such as mean something only in an exchange, or another thing there. */
  readonly handlers?: ReadonlyMap<string, PartHandler>
  /** Told of a part that is not understood and may be passed over. */
  readonly onSkipped?: (part: BundlePart) => void
}

/** Handles one kind of part. */
export interface PartHandler {
  /** Every parameter that it understands. */
  readonly parameters: ReadonlySet<string>
  readonly handle: (update: StoreUpdate, part: BundlePart) => void
}

/** What a bundle did. */
export interface AppliedBundle {
  /** All changesets from this revision on are new. */
  readonly firstNewRev: number
  /** Of each changegroup: new heads less ended ones. */
  readonly headDifferences: readonly number[]
  /** Changesets that were here and have become public. */
  readonly published: number
}

const NO_PARAMETERS: ReadonlySet<string> = new Set()

/** The parts that are understood, with their parameters. */
const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['changegroup', new Set(['version', 'nbchanges', 'targetphase'])],
  ['phase-heads', NO_PARAMETERS],
  ['bookmarks', NO_PARAMETERS],
  ['cache:rev-branch-cache', NO_PARAMETERS],
  ['hgtagsfnodes', NO_PARAMETERS],
])

/** Applies all parts. Throws `unknown-part`, and what applyChangegroup() throws. */
export function applyBundle(
  update: StoreUpdate,
  bundle: Pick<Bundle, 'parts'>,
  options: ApplyBundleOptions = {},
): AppliedBundle {
  const firstNewRev = update.changelog.length
  const headDifferences: number[] = []
  let published = 0
  const { onSkipped = () => undefined, handlers = new Map<string, PartHandler>() } = options
  const handled = [...handlers].map(([name, { parameters }]) => [name, parameters] as const)
  const known = new Map([...KNOWN, ...handled])
  for (const part of knownParts(bundle, { known, onSkipped })) {
    const handler = handlers.get(part.name)
    if (handler !== undefined) handler.handle(update, part)
    else if (part.name === 'changegroup') headDifferences.push(applyPart(update, part, options))
    else if (part.name === 'bookmarks') applyBookmarks(update, part.payload)
    else if (part.name === 'phase-heads') {
      published += advancePhases(update, part.payload).filter((rev) => rev < firstNewRev).length
    }
  }
  return { firstNewRev, headDifferences, published }
}

function applyPart(
  update: StoreUpdate,
  part: BundlePart,
  { onChangegroup = () => undefined, ...options }: ApplyBundleOptions,
): number {
  const reader = readChangegroup(part.payload, changegroupVersion(part))
  const phase = part.parameters.get('targetphase')
  const target = phase === undefined ? {} : { targetPhase: parsePhase(phase) }
  const applied = applyChangegroup(update, reader, { ...options, ...target })
  const { changelog } = update
  const difference = headDifference({
    index: changelog.index,
    firstNewRev: applied.firstNewRev,
    closesBranch: (rev) => parseChangeset(changelog.text(rev)).extra.has('close'),
  })
  onChangegroup(applied, difference, part)
  return difference
}

/** The version of a changegroup that came in a part. Throws `unknown-part`. */
export function changegroupVersion({ parameters }: BundlePart): ChangegroupVersion {
  const version = parameters.get('version') ?? '01'
  if (version === '01' || version === '02' || version === '03') return version
  throw new RevlogError('unknown-part', `missing support for changegroup - version ${version}`)
}

function parsePhase(text: string): number {
  if (/^[012]$/.test(text)) return Number(text)
  throw new RevlogError('corrupt', `changegroup: ${JSON.stringify(text)} is no phase`)
}

/** Gives the revisions that have become public. */
function advancePhases({ changelog, phases }: StoreUpdate, payload: ByteInput): readonly number[] {
  const heads = byPhase(readPhaseHeads(payload))
  const nodes = [...heads.values()].flat()
  changelog.index.locate(nodes)
  const published: number[] = []
  for (const phase of [...heads.keys()].sort((a, b) => a - b)) {
    const revs = (heads.get(phase) ?? []).map((node) => {
      const rev = changelog.index.findRev(node)
      if (rev === undefined) throw noChangeset(node)
      return rev
    })
    const changed = phases.advance(phase, revs)
    if (phase === 0) published.push(...changed)
  }
  return published
}

function byPhase(heads: Iterable<PhaseHead>): ReadonlyMap<number, Uint8Array[]> {
  const nodesOf = new Map<number, Uint8Array[]>()
  for (const { phase, node } of heads) {
    const nodes = nodesOf.get(phase) ?? []
    nodesOf.set(phase, nodes)
    nodes.push(node)
  }
  return nodesOf
}
