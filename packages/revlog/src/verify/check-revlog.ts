/**
 * What is checked of every revlog alike: that the data file is as long as the index says, and of each
 * entry its link to a changeset, its parents, and that its node is there once.
 */
import { statSync } from 'node:fs'
import { codeOf, RevlogError, reasonOf } from '../errors.ts'
import { hexOf } from '../format/byte-string.ts'
import { NULL_REV } from '../format/constants.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'
import type { Findings } from './findings.ts'
import type { WalkedRevlog } from './walk-texts.ts'

/** Digits of a node that are printed. */
const SHORT_BYTES = 6

/** A node as Mercurial prints it. */
export function shortNode(node: Uint8Array): string {
  return hexOf(node.subarray(0, SHORT_BYTES))
}

/** Bytes of a file; undefined where there is none. Throws `system`. */
export function fileBytes(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size
  } catch (cause) {
    if (codeOf(cause) === 'ENOTDIR') return undefined
    throw new RevlogError('system', `${path}: ${reasonOf(cause)}`, { cause })
  }
}

/** How many bytes too long (or, below zero, too short) the data file is; 0 where there is none. */
export function surplusBytes({ index }: Revlog, dataBytes: number | undefined): number {
  if (index.inline || dataBytes === undefined || index.length === 0) return 0
  const last = index.length - 1
  const length = index.entry(last).compressedLength
  return dataBytes - Math.max(0, index.offset(last) + length)
}

/** Says when the data of changelog or manifest are longer or shorter than its index says. */
export function checkSize(
  { revlog, dataBytes }: WalkedRevlog,
  name: string,
  findings: Findings,
): void {
  const surplus = surplusBytes(revlog, dataBytes)
  if (surplus === 0) return
  findings.error({ name, linkRev: undefined }, `data length off by ${surplus} bytes`)
}

/** The revlog whose entries are checked. */
export interface EntryCheck {
  readonly index: RevlogIndex
  /** `changelog`, `manifest`, or a path. */
  readonly name: string
  /** Number of changesets; 0 where links cannot be checked. */
  readonly changesets: number
  readonly findings: Findings
}

/** A check of entries, to be called for each revision in order. */
export type CheckEntry = (
  rev: number,
  /** The changesets that the entry may belong to, ascending. */
  allowed: readonly number[],
) => number | undefined

/** Gives for each revision the changeset that it belongs to, undefined where that is wrong. */
export function entryCheck({ index, name, changesets, findings }: EntryCheck): CheckEntry {
  const parents = parentCheck({ index, name, changesets, findings })
  return (rev, allowed) => {
    const link = index.linkRev(rev)
    const fits = link >= 0 && (changesets === 0 || includesSorted(allowed, link))
    const linkRev = fits ? link : undefined
    if (!fits) {
      const nowhere = link < 0 || link >= changesets
      const what = `${nowhere ? 'nonexistent' : 'unexpected'} changeset ${link}`
      findings.error({ name, linkRev: undefined }, `rev ${rev} points to ${what}`)
      if (allowed.length > 0) {
        // Of several candidates Mercurial 6.3 prints none.
        findings.warning(` (expected ${allowed.length === 1 ? allowed[0] : ''})`)
      }
    }
    parents(rev, linkRev)
    return linkRev
  }
}

function parentCheck({ index, name, findings }: EntryCheck) {
  const firstWithNode = firstOccurrences(index)
  const isRevision = (rev: number): boolean => rev >= NULL_REV && rev < index.length
  return (rev: number, linkRev: number | undefined): void => {
    const [p1, p2] = [index.p1(rev), index.p2(rev)]
    const short = (of: number): string => index.nodeHex(of).slice(0, 2 * SHORT_BYTES)
    const error = (what: string): void => findings.error({ name, linkRev }, what)
    if (isRevision(p1) && isRevision(p2)) {
      // A later revision with the same node as an earlier one counts as that.
      if (p1 >= rev && firstWithNode(p1) >= rev)
        error(`unknown parent 1 ${short(p1)} of ${short(rev)}`)
      if (p2 >= rev && firstWithNode(p2) >= rev)
        error(`unknown parent 2 ${short(p2)} of ${short(rev)}`)
    } else {
      error(`checking parents of ${short(rev)}: revlog index out of range`)
    }
    const first = firstWithNode(rev)
    if (first !== rev) error(`duplicate revision ${rev} (${first})`)
  }
}

/** Of each revision the first one with its node, itself mostly: found through sorted first words. */
function firstOccurrences(index: RevlogIndex): (rev: number) => number {
  const mask = 2 ** Math.ceil(Math.log2(2 * index.length + 2)) - 1
  const slots = new Int32Array(mask + 1)
  const first = new Map<number, number>()
  for (let rev = 0; rev < index.length; rev++) {
    const word = index.nodeWord(rev)
    let slot = word & mask
    for (;;) {
      const other = (slots[slot] ?? 0) - 1
      if (other < 0) {
        slots[slot] = rev + 1
        break
      }
      if (index.nodeWord(other) === word && index.nodeHex(other) === index.nodeHex(rev)) {
        first.set(rev, other)
        break
      }
      slot = (slot + 1) & mask
    }
  }
  return (rev) => first.get(rev) ?? rev
}

function includesSorted(sorted: readonly number[], wanted: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return sorted[low] === wanted
}
