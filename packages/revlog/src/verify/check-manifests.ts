/**
 * The second and third step of a check: the manifests, which must be those of the changesets, and the
 * files that only changesets or only manifests know. A manifest that is stored as a delta is read as
 * that, which tells all the files that it brings; its text is made and hashed only if that is asked
 * for, as in Mercurial.
 */
import type { CheckState, ManifestLinks } from './check-changesets.ts'
import { type CheckEntry, checkSize, entryCheck } from './check-revlog.ts'
import { hunkTexts, type ManifestLines, parseLines } from './manifest-lines.ts'
import {
  checkedText,
  deltaParent,
  openChunk,
  type Walked,
  type WalkedRevlog,
  walkTexts,
} from './walk-texts.ts'

/** How manifests are checked. */
export interface ManifestCheck extends ManifestLinks {
  readonly walked: WalkedRevlog
  /** Make and hash the text of every manifest, not only of those that are stored in full. */
  readonly full: boolean
}

/** Checks all manifests and remembers what files they name. */
export function checkManifests(state: CheckState, check: ManifestCheck): void {
  const { changelog, manifest, findings } = state
  if (manifest.length === 0) {
    if (changelog.length > 0) findings.error({ linkRev: 0 }, 'empty or missing manifest')
    return
  }
  checkSize(check.walked, 'manifest', findings)
  const { index } = manifest
  const entries = { index, name: 'manifest', changesets: changelog.length, findings }
  const checkOne = manifestCheck(state, check, entryCheck(entries))
  if (check.full) walkTexts(check.walked, checkOne)
  else for (let rev = 0; rev < index.length; rev++) checkOne(rev, undefined)
  reportUnknown(state, check)
}

function manifestCheck(
  state: CheckState,
  { walked, changesetsOf }: ManifestCheck,
  checkEntry: CheckEntry,
): (rev: number, full: Walked | undefined) => void {
  const { findings, manifest, links } = state
  const textOf = checkedText(walked)
  return (rev, full) => {
    const hex = manifest.index.nodeHex(rev)
    const short = hex.slice(0, 12)
    const revs = changesetsOf.get(hex)
    const linkRev = checkEntry(rev, revs ?? [])
    const place = { name: 'manifest', linkRev }
    if (revs === undefined) findings.error(place, `${short} not in changesets`)
    const lines = linesOf(walked, rev, textOf)
    if ('problem' in lines) findings.error(place, `reading delta ${short}: ${lines.problem}`)
    else {
      lines.paths.forEach((path, at) => {
        links.addNode(links.pathId(path), lines.nodeAt(at), linkRev)
      })
    }
    if (full !== undefined && 'problem' in full) {
      findings.error(place, `reading full manifest ${short}: ${full.problem}`)
    }
  }
}

/** The lines that a manifest brings against the one that it is stored against. */
function linesOf(
  walked: WalkedRevlog,
  rev: number,
  textOf: (rev: number) => Walked,
): ManifestLines | { readonly problem: string } {
  const base = deltaParent(walked.revlog.index, rev)
  const isDelta = base >= 0 && base < rev
  const stored = isDelta ? openChunk(walked, rev, MAX_MANIFEST_BYTES) : textOf(rev)
  if ('problem' in stored) return stored
  const lines = isDelta ? hunkTexts(stored.text) : stored
  return 'problem' in lines ? lines : parseLines(lines.text)
}

/** The length of the base is not asked for: a delta may be this much longer than its text. */
const MAX_MANIFEST_BYTES = 1_048_576

/** Manifests that changesets have and the store has not. */
function reportUnknown({ manifest, findings }: CheckState, { changesetsOf }: ManifestCheck): void {
  const known = new Set<string>()
  for (let rev = 0; rev < manifest.length; rev++) {
    const hex = manifest.index.nodeHex(rev)
    if (changesetsOf.has(hex)) known.add(hex)
  }
  if (known.size === changesetsOf.size) return
  const unknown: { readonly linkRev: number; readonly hex: string }[] = []
  for (const [hex, revs] of changesetsOf) {
    if (!known.has(hex)) unknown.push(...revs.map((linkRev) => ({ linkRev, hex })))
  }
  unknown.sort((a, b) => a.linkRev - b.linkRev)
  for (const { linkRev, hex } of unknown) {
    const what = `changeset refers to unknown revision ${hex.slice(0, 12)}`
    findings.error({ name: 'manifest', linkRev }, what)
  }
}
