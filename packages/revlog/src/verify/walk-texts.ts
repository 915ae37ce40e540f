/**
 * Every text of a revlog in order, each chunk opened and applied once: a text that later deltas are
 * against is kept until the last of them is done, within a bound; nothing else is. Texts are checked
 * against their nodes, and what cannot be read is said in Mercurial's words instead of thrown.
 */
import { decompressView, type PlainSize } from '../compression/index.ts'
import { applyDeltas, maxDeltaBytes } from '../delta/index.ts'
import { RevlogError } from '../errors.ts'
import { ENTRY_SIZE, NODE_SIZE, NULL_REV, REVISION_CENSORED } from '../format/constants.ts'
import { hashText } from '../reader/hash-text.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { RevlogIndex } from '../reader/revlog-index.ts'
import { chunkProblem, fileProblem, flagProblem } from './damage-words.ts'

/** A revlog to walk. */
export interface WalkedRevlog {
  readonly revlog: Revlog
  /** `00changelog`, `data/PATH`. */
  readonly name: string
  /** Bytes of the file that holds the chunks; undefined where there is none. */
  readonly dataBytes: number | undefined
  readonly dataPath: string
}

/** What a text is, or why there is none. */
export type Walked =
  /** Valid until the next one. */
  { readonly text: Uint8Array } | { readonly problem: string }

/** Texts that are kept for later deltas may take this many bytes together. */
const KEPT_BYTES = 48 * 1024 * 1024

const NO_BYTES = new Uint8Array(0)

/** Calls `visit` for each revision in order. Throws only what `visit` throws. */
export function walkTexts(walked: WalkedRevlog, visit: (rev: number, found: Walked) => void): void {
  const { index } = walked.revlog
  const bases = keptTexts(index)
  const check = nodeCheck(index)
  for (let rev = 0; rev < index.length; rev++) {
    const built = buildText(walked, rev, bases)
    bases.set(rev, built)
    visit(rev, 'problem' in built ? built : check(walked.name, rev, built))
    bases.forgetUsed(rev)
  }
}

/** One text for itself, checked; its whole chain is read for it. */
export function checkedText(walked: WalkedRevlog): (rev: number) => Walked {
  const check = nodeCheck(walked.revlog.index)
  return (rev) => {
    const built = buildText(walked, rev, NOTHING_KEPT)
    return 'problem' in built ? built : check(walked.name, rev, built)
  }
}

interface KeptTexts {
  /** The text that a revision's delta is against, if it is still there. */
  get(baseRev: number): Walked | undefined
  set(rev: number, built: Walked): void
  /** Drops what no revision after this one needs. */
  forgetUsed(rev: number): void
}

const NOTHING_KEPT: KeptTexts = {
  get: () => undefined,
  set: () => undefined,
  forgetUsed: () => undefined,
}

function keptTexts(index: RevlogIndex): KeptTexts {
  const lastUser = lastUsers(index)
  const kept = new Map<number, Walked>()
  let bytes = 0
  const drop = (rev: number): void => {
    const built = kept.get(rev)
    if (built === undefined) return
    kept.delete(rev)
    bytes -= sizeOf(built)
  }
  return {
    get: (baseRev) => kept.get(baseRev),
    set(rev, built) {
      if ((lastUser[rev] ?? 0) <= rev) return
      kept.set(rev, deltaParent(index, rev) === rev ? owned(built) : built)
      bytes += sizeOf(built)
      for (const oldest of kept.keys()) {
        if (bytes <= KEPT_BYTES || oldest === rev) break
        drop(oldest)
      }
    },
    forgetUsed(rev) {
      const base = deltaParent(index, rev)
      if (base >= 0 && lastUser[base] === rev) drop(base)
    },
  }
}

function sizeOf(built: Walked): number {
  return 'text' in built ? built.text.length : 0
}

/** Of each revision the last one whose delta is against it; 0 for none. */
function lastUsers(index: RevlogIndex): Int32Array {
  const last = new Int32Array(index.length)
  for (let rev = 0; rev < index.length; rev++) {
    const base = deltaParent(index, rev)
    if (base >= 0 && base < rev) last[base] = rev
  }
  return last
}

/** What a revision's chunk is against: its own number for a full text. Not checked. */
export function deltaParent(index: RevlogIndex, rev: number): number {
  const base = index.baseRev(rev)
  return index.generaldelta || base === rev || base < 0 ? base : rev - 1
}

/** Gives a text that is valid until the next chunk is read. */
function buildText(walked: WalkedRevlog, rev: number, bases: KeptTexts): Walked {
  const { index } = walked.revlog
  const forbidden = flagProblem(index.flags(rev))
  if (forbidden !== undefined) return { problem: forbidden }
  const stored = index.baseRev(rev)
  // Mercurial's words.
  if (stored > rev)
    return { problem: `corrupted revlog, revision base above revision: ${rev}, ${stored}` }
  if (stored < NULL_REV)
    return { problem: `corrupted revlog, revision base out of range: ${rev}, ${stored}` }
  const base = deltaParent(index, rev)
  const before = base === rev || base < 0 ? { text: NO_BYTES } : baseText(walked, base, bases)
  if ('problem' in before) return before
  const opened = openChunk(walked, rev, base === rev ? undefined : before.text.length)
  if ('problem' in opened) return opened
  if (base === rev) return opened
  try {
    return { text: applyDeltas(before.text, [opened.text]) }
  } catch {
    return { problem: 'invalid patch' }
  }
}

/** A base whose text is not kept any more is built again, with its chain. */
function baseText(walked: WalkedRevlog, base: number, bases: KeptTexts): Walked {
  return bases.get(base) ?? owned(buildText(walked, base, bases))
}

/** A text that was stored whole is a view of what the next read overwrites. */
function owned(built: Walked): Walked {
  return 'text' in built ? { text: new Uint8Array(built.text) } : built
}

/** A revision's chunk: its delta, or its text; a view until the next one. */
export function openChunk(
  { revlog, name, dataBytes, dataPath }: WalkedRevlog,
  rev: number,
  baseBytes: number | undefined,
): Walked {
  const { index } = revlog
  try {
    const start = index.offset(rev) + (index.inline ? (rev + 1) * ENTRY_SIZE : 0)
    const length = index.compressedLength(rev)
    const there = index.inline ? revlog.access.bytes : (dataBytes ?? start + length)
    if (start + length > there) {
      // Mercurial's words.
      const got = Math.max(0, there - start)
      return {
        problem: `partial read of revlog ${name}${index.inline ? '.i' : '.d'}; expected ${length} bytes from offset ${start}, got ${got}`,
      }
    }
    // An inline index tells a chunk's place twice; what it says in numbers is what is checked.
    const chunk = index.inline ? index.inlineBytes(start, start + length) : revlog.storedChunk(rev)
    try {
      return { text: decompressView(chunk, plainSize(index.uncompressedLength(rev), baseBytes)) }
    } catch (cause) {
      return { problem: chunkProblem(chunk, cause) }
    }
  } catch (cause) {
    if (!(cause instanceof RevlogError)) throw cause
    return { problem: fileProblem(dataPath, cause) }
  }
}

/** A wrong length in the index is to be said, not to hide the text: up to here it is opened. */
const ALWAYS_OPENED_BYTES = 16 * 1024 * 1024

/** How large a chunk can be by the length in the index, which is compared with the text later. */
function plainSize(textBytes: number, baseBytes: number | undefined): PlainSize {
  if (textBytes < 0) return {}
  const bound = baseBytes === undefined ? textBytes : maxDeltaBytes(baseBytes, textBytes)
  const maxBytes = Math.max(ALWAYS_OPENED_BYTES, bound)
  return baseBytes === undefined ? { expectedBytes: textBytes, maxBytes } : { maxBytes }
}

type CheckNode = (name: string, rev: number, built: { readonly text: Uint8Array }) => Walked

function nodeCheck(index: RevlogIndex): CheckNode {
  const p1 = new Uint8Array(NODE_SIZE)
  const p2 = new Uint8Array(NODE_SIZE)
  const copy = (parent: number, target: Uint8Array): boolean => {
    if (parent < NULL_REV || parent >= index.length) return false
    if (parent === NULL_REV) target.fill(0)
    else index.copyNode(parent, target, 0)
    return true
  }
  return (name, rev, built) => {
    // Mercurial's words, all three.
    if (!copy(index.p1(rev), p1) || !copy(index.p2(rev), p2)) {
      return { problem: 'revlog index out of range' }
    }
    if (hashText(p1, p2, built.text) === index.nodeHex(rev)) return built
    const censored = (index.flags(rev) & REVISION_CENSORED) !== 0
    return { problem: censored ? CENSORED : `integrity check failed on ${name}:${rev}` }
  }
}

/** The problem of a revision whose content was taken away on purpose; Mercurial's words. */
export const CENSORED = 'censored file data'
